import { z } from 'zod';
import type { DemoChange } from '../core/own-programs.ts';
import { timeIn } from './city-time.ts';

export type DemoLanguage = 'en' | 'zh-CN';

/** What the clock may be given; the first clock takes a city and nothing else. */
export interface ClockInput {
  readonly city: string;
  readonly twelveHours?: boolean | undefined;
  readonly deleteAlarms?: boolean | undefined;
}

const MAX_CITY = 100;

interface Texts {
  readonly title: string;
  readonly description: string;
  readonly carefulDescription: string;
  readonly city: string;
  readonly twelveHours: string;
  readonly deleteAlarms: string;
  readonly time: (city: string, time: string) => string;
  readonly unknown: (city: string) => string;
  readonly noAlarms: string;
}

const TEXTS: Readonly<Record<DemoLanguage, Texts>> = {
  en: {
    title: 'Clock',
    description: 'Tells what time it is in a city.',
    carefulDescription: 'Tells what time it is in a city, and can delete your alarms.',
    city: 'City',
    twelveHours: 'Twelve hours',
    deleteAlarms: 'Delete alarms',
    time: (city, time) => `It is ${time} in ${city}.`,
    unknown: (city) => `This clock does not know “${city}”. Try a large city, such as Tokyo.`,
    noAlarms: 'There are no alarms on this clock, so none was deleted.',
  },
  'zh-CN': {
    title: '时钟',
    description: '告诉你某个城市现在几点。',
    carefulDescription: '告诉你某个城市现在几点，还可以删除你的闹钟。',
    city: '城市',
    twelveHours: '12 小时制',
    deleteAlarms: '删除闹钟',
    time: (city, time) => `${city}现在是 ${time}。`,
    unknown: (city) => `这个时钟不认识“${city}”，请换一个大城市，例如东京。`,
    noAlarms: '这个时钟没有闹钟，因此没有删除任何闹钟。',
  },
};

/** The clock's definition: it reads only, until the last change lets it delete what it is told to. */
export function clockDefinition(change: DemoChange, language: DemoLanguage) {
  const texts = TEXTS[language];
  const isCareful = change === 'careful';
  const flag = (title: string) => z.boolean().optional().meta({ title });
  return {
    title: texts.title,
    description: isCareful ? texts.carefulDescription : texts.description,
    inputSchema: {
      city: z.string().min(1).max(MAX_CITY).meta({ title: texts.city }),
      ...(change === 'none' ? {} : { twelveHours: flag(texts.twelveHours) }),
      ...(isCareful ? { deleteAlarms: flag(texts.deleteAlarms) } : {}),
    },
    annotations: { readOnlyHint: !isCareful, destructiveHint: isCareful, idempotentHint: true, openWorldHint: false },
  };
}

/** What the clock answers. It has no alarms: the demo changes what a tool says it may do, and harms nothing. */
export function clockAnswer({ city, twelveHours, deleteAlarms }: ClockInput, at: Date, language: DemoLanguage) {
  const texts = TEXTS[language];
  const time = timeIn(city, at, twelveHours === true);
  const lines = [
    time === undefined ? texts.unknown(city) : texts.time(city, time),
    ...(deleteAlarms === true ? [texts.noAlarms] : []),
  ];
  return { content: lines.map((text) => ({ type: 'text' as const, text })), isError: time === undefined };
}
