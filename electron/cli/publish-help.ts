/** What `--help` says of the commands for people who publish servers. */
export const PUBLISH_ABOUT = {
  snapshot: `Starts a server in this folder, lists everything it offers, and writes it down as a file to be reviewed: the same
server gives the same bytes. Without -o it goes to standard output. A file that is there is written over only where it is
a snapshot, and only with a whole one: where something could not be read, it stays as it was.

Of the environment it has names only. Values that were given with --env, and arguments after a name such as --token, are
masked wherever the server repeats them: •••(NAME) stands for the value of NAME, and is the same whatever the value is.
Values of fewer than 6 characters are not looked for, and -k VALUE is not known for a key: give keys with --env. Of what
the server says by itself, keys with the prefix of their issuer (sk-, ghp_, AKIA and the like) are masked for a digest,
•••(sha256:…); everything else is written as it is.

Ends with 0 when everything was read, with 1 when something was not (it says what), with 2 on bad usage.`,
  diff: `Compares two snapshots: the gravity of every change (compatible, review, breaking, security), its facts, and what it
means in plain sentences. --markdown prints it for a comment on a pull request, the gravest first and cut where a comment
would be too long, with a line that counts what was left out; --json, instead of it, has everything there is to know.

Ends with 1 when there is a change of at least --fail-on (breaking, unless you say otherwise), or when something could
not be compared because a list was not read whole, or because a key stands in a name on one side only; with 2 on bad usage or a file that cannot be used; else with 0.`,
  verify: `Sends recorded requests to a server, for real, one after the other, and says which do not come out as expected. SAMPLES
has a JSON object per line:

  {"name": "search", "arguments": {"query": "tea"}, "expect": "accepted"}
  {"name": "search", "arguments": {}, "expect": "refused", "note": "query is required"}
  {"kind": "prompt", "name": "summary", "arguments": {"style": "short"}, "expect": "accepted"}
  {"kind": "resource", "name": "file:///notes.txt", "expect": "accepted"}

"kind" is tool unless it says prompt or resource; "name" is the name of the tool or prompt, or the address of the
resource; "arguments" may be left out, and so may "note". Everything is read before anything is sent.

  accepted  a result came back. Where the tool reports an error of its own that is not about its arguments (no network,
            nothing found), it has taken the call, and that is what counts.
  refused   a JSON-RPC error, whatever its code; or a tool's error that speaks of arguments, of one of its inputs by name
            ("query is required"), or of the tool itself as unknown. The names are those that were sent, and those
            that the server lists, which it is asked for once where a tool reports an error.

No answer within --timeout (30 seconds, 0.1 to 600) and a server that stops are neither, so the sample breaks; the server
is started anew for the next one, and given up after five in a row.

Ends with 0 when every sample holds, with 1 when one broke, with 2 on bad usage or samples that cannot be used.`,
} as const;
