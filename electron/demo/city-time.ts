/** Cities that people ask for and the list of time zones names otherwise. */
const ALSO_KNOWN: Readonly<Record<string, string>> = {
  beijing: 'Asia/Shanghai',
  shenzhen: 'Asia/Shanghai',
  guangzhou: 'Asia/Shanghai',
  delhi: 'Asia/Kolkata',
  mumbai: 'Asia/Kolkata',
  boston: 'America/New_York',
  washington: 'America/New_York',
  'san francisco': 'America/Los_Angeles',
  seattle: 'America/Los_Angeles',
  munich: 'Europe/Berlin',
  milan: 'Europe/Rome',
  barcelona: 'Europe/Madrid',
  geneva: 'Europe/Zurich',
  北京: 'Asia/Shanghai',
  上海: 'Asia/Shanghai',
  广州: 'Asia/Shanghai',
  深圳: 'Asia/Shanghai',
  香港: 'Asia/Hong_Kong',
  台北: 'Asia/Taipei',
  东京: 'Asia/Tokyo',
  首尔: 'Asia/Seoul',
  新加坡: 'Asia/Singapore',
  伦敦: 'Europe/London',
  巴黎: 'Europe/Paris',
  柏林: 'Europe/Berlin',
  纽约: 'America/New_York',
  洛杉矶: 'America/Los_Angeles',
};

/** The time in a city as `10:04` or `10:04 AM`; `undefined` for a city that is not known. Needs no network. */
export function timeIn(city: string, at: Date, isTwelveHours: boolean): string | undefined {
  const timeZone = zoneOf(city);
  if (timeZone === undefined) return undefined;
  const clock = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: isTwelveHours ? 'h12' : 'h23' } as const;
  return new Intl.DateTimeFormat('en-US', clock).format(at);
}

function zoneOf(city: string): string | undefined {
  // "Tokyo, Japan" is Tokyo; accents and case do not matter.
  const [name = ''] = city.split(/[,，]/);
  const wanted = plain(name);
  if (Object.hasOwn(ALSO_KNOWN, wanted)) return ALSO_KNOWN[wanted];
  return Intl.supportedValuesOf('timeZone').find((zone) => plain(zone.split('/').at(-1) ?? '') === wanted);
}

function plain(name: string): string {
  return name.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('_', ' ').trim().toLowerCase();
}
