#!/bin/sh
# Before the package for Debian or Fedora goes: every AI app of every person gets its settings back, and what still runs of
# Holdfast ends. Whoever's settings they are runs the program, so that nothing of a person's home is followed or written as
# root. An update runs this, too, and keeps everything.
case "${1:-}" in
  remove | 0) ;;
  *) exit 0 ;;
esac

program=/opt/Holdfast/holdfast

getent passwd | while IFS=: read -r person _ uid _ _ home _; do
  [ "$uid" -ne 0 ] && [ -d "$home/.config/Holdfast" ] || continue
  setpriv --reuid="$person" --regid="$(id -g "$person")" --init-groups --reset-env \
    timeout -k 5 40 "$program" --restore-hosts --quiet </dev/null >/dev/null 2>&1 ||
    echo "Holdfast: the apps of $person may still name Holdfast in their settings." >&2
done

# Its own helpers, which end with it, are not asked.
running() {
  for link in /proc/[0-9]*/exe; do
    # Of one that runs since before an update the file is gone.
    case "$(readlink "$link" 2>/dev/null)" in
      "$program" | "$program (deleted)") ;;
      *) continue ;;
    esac
    tr '\0' ' ' <"${link%exe}cmdline" 2>/dev/null | grep -q -e ' --type=' || basename "${link%/exe}"
  done
}
# Servers' process trees end with it, which takes a moment.
kill -TERM $(running) 2>/dev/null
for _ in 1 2 3 4 5 6 7 8 9 10; do
  [ -z "$(running)" ] && break
  sleep 1
done
exit 0
