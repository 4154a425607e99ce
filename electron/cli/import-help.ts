/** For `--help`, below the usage. */
export const IMPORT_ABOUT = [
  'Takes over the servers that your apps have in their own settings: each is started once, added to Holdfast with its',
  'keys, given to the apps that had it, and taken out of their settings in one write. "holdfast apps disconnect APP"',
  'brings the old settings back.',
  '',
  '  --look     shows what was found, with the whole command of each; writes nothing and starts nothing',
  '  --dry-run  shows what would be taken over and the edits of the settings; writes nothing and starts nothing',
  '  --leave    leaves the settings of the apps as they are',
  '  --app APP  only from this app',
  '  NAME       only these; without one, all that need nothing from you',
].join('\n');
