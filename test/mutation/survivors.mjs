/** What the tests noticed of a mutant; the rest (`Ignored`, `CompileError`, `RuntimeError`) is no mutant to judge. */
const KILLED = ['Killed', 'Timeout'];
const SURVIVED = ['Survived', 'NoCoverage'];

/**
 * Sorts the mutants of a report of Stryker: killed, surviving for a reason that somebody wrote down, surviving without
 * one. An entry of `accepted` names a mutant by what it changes, not by its line, so that it stays true when lines move;
 * as many mutants as are the same in that are one entry.
 */
export function judge(report, accepted, isWanted) {
  return Object.entries(report.files)
    .filter(([name]) => isWanted(name))
    .map(([name, { source, mutants }]) => {
      const killed = mutants.filter(({ status }) => KILLED.includes(status));
      const survivors = mutants
        .filter(({ status }) => SURVIVED.includes(status))
        .map((m) => described(name, source, m));
      const reasons = accepted[name] ?? [];
      const isAccepted = (survivor) => reasons.some((entry) => isSame(entry, survivor));
      return {
        name,
        fresh: survivors.filter((survivor) => !isAccepted(survivor)),
        stale: reasons
          .filter((entry) => !survivors.some((each) => isSame(entry, each)))
          .map((e) => ({ file: name, ...e })),
        counts: {
          killed: killed.length,
          late: killed.filter(({ status }) => status === 'Timeout').length,
          all: killed.length + survivors.length,
          accepted: survivors.filter(isAccepted).length,
          fresh: survivors.filter((survivor) => !isAccepted(survivor)).length,
        },
      };
    });
}

export function totals(files) {
  const sum = (key) => files.reduce((all, { counts }) => all + counts[key], 0);
  return Object.fromEntries(['killed', 'late', 'all', 'accepted', 'fresh'].map((key) => [key, sum(key)]));
}

function isSame(entry, survivor) {
  return ['mutator', 'line', 'from', 'to'].every((key) => entry[key] === survivor[key]);
}

function described(file, source, { location, mutatorName, replacement, status }) {
  const lines = source.split('\n');
  return {
    file,
    at: `${location.start.line}:${location.start.column}`,
    mutator: mutatorName,
    line: lines[location.start.line - 1].trim(),
    from: plain(between(lines, location)),
    to: plain(replacement ?? ''),
    ...(status === 'NoCoverage' && { reached: false }),
  };
}

function between(lines, { start, end }) {
  const part = lines.slice(start.line - 1, end.line);
  part[part.length - 1] = part[part.length - 1].slice(0, end.column - 1);
  part[0] = part[0].slice(start.column - 1);
  return part.join('\n');
}

/** One line, and not a long one. */
function plain(text) {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}
