"""The page's "Launch identity". The lists of programs and options are the app's: the page names the forms only."""

import re

from canonical import canonical

NPM = [["npx"], ["bunx"], ["npm", "exec"], ["pnpm", "dlx"], ["yarn", "dlx"], ["bun", "x"]]
PYPI = [["uvx"], ["uv", "tool", "run"], ["pipx", "run"]]
OCI = [["docker", "run"], ["podman", "run"], ["docker", "container", "run"], ["podman", "container", "run"]]
INTERPRETERS = set("node nodejs electron tsx ts-node ruby perl php rscript dotnet python py bun java".split())
PACKAGE_LAUNCHERS = set("npx npm pnpm yarn corepack bunx uv uvx pipx pip".split())
OTHERS = set(
    "deno sh bash zsh fish dash ksh cmd powershell pwsh wsl env sudo doas nice nohup timeout time xargs ssh exec eval "
    "setsid stdbuf dotenv op doppler make just mise asdf direnv nix nix-shell conda poetry pipenv pip "
    "rye go cargo corepack".split()
)
LAUNCHERS = {first for first, *_ in NPM + PYPI + OCI} | INTERPRETERS | OTHERS

NPM_OPTIONS = set("-y --yes -q --quiet --prefer-offline --prefer-online --offline".split())
PYPI_OPTIONS = set("-q --quiet --no-cache --offline --isolated".split())
PYPI_VALUES = {"--python", "-p"}
OCI_OPTIONS = set("-i -t -it -ti --interactive --tty --rm --init --read-only -d --detach".split())
OCI_VALUES = set(
    "-e --env --env-file -v --volume --mount --name --network --net -p --publish -w --workdir -u --user --platform "
    "--pull -l --label -m --memory --cpus --add-host".split()
)
NPM_PACKAGE = re.compile(r"(?!\.)((@[a-z0-9~._-]+/)?[a-z0-9~._-]+)(@[^:/\\]+)?", re.I | re.A)
PYPI_PACKAGE = re.compile(r"([a-z0-9][a-z0-9._-]*)(\[[a-z0-9,._-]*\])?((@|==|>=|<=|~=)[^:/\\]+)?", re.I | re.A)


def program(path):
    """The last part of a path, without the endings that Windows adds and without a version, as in python3.11."""
    name = re.sub(r"\.(exe|cmd|bat|ps1)\Z", "", re.split(r"[\\/]", path)[-1].lower())
    plain = name.rstrip("0123456789.")
    return plain if plain in INTERPRETERS else name


def behind(forms, command, args):
    """The arguments behind the words of a launcher, else None."""
    for first, *rest in forms:
        if program(command) == first and args[: len(rest)] == rest:
            return args[len(rest) :]
    return None


def first_operand(args, options, valued=frozenset()):
    """The first argument behind options that change nothing; None behind any other option."""
    args = list(args)
    while args and args[0].startswith("-"):
        option = args.pop(0)
        name, is_joined, _ = option.partition("=")
        if option in options or (is_joined and name.startswith("--") and name in valued):
            continue
        if option not in valued or not args:
            return None
        args.pop(0)
    return args[0] if args else None


def package_route(command, args):
    """The route of what a launcher starts; "" where it cannot be told, None where this is no launcher."""
    npm, pypi, oci = (behind(forms, command, args) for forms in (NPM, PYPI, OCI))
    if npm is not None:
        npm = npm[1:] if program(command) == "npm" and npm[:1] == ["--"] else npm
        match = NPM_PACKAGE.fullmatch(first_operand(npm, NPM_OPTIONS) or "")
        return "npm:" + match[1] if match else ""
    if pypi is not None:
        match = PYPI_PACKAGE.fullmatch(first_operand(pypi, PYPI_OPTIONS, PYPI_VALUES) or "")
        return "pypi:" + re.sub(r"[-_.]+", "-", match[1]).lower() if match else ""
    if oci is not None:
        image = first_operand(oci, OCI_OPTIONS, OCI_VALUES)
        return "" if image is None else "oci:" + re.sub(r":[^/]*\Z", "", image.split("@")[0])
    return None


def starts_packages(script):
    """npx-cli.js and the like: package launchers started by their own script."""
    return re.sub(r"(-cli)?\.[cm]?js\Z", "", program(script)) in PACKAGE_LAUNCHERS


def program_route(command, args):
    """The route of an interpreter with its script, or of a program of its own; "" for everything else."""
    name = program(command)
    if name == "bun" and args[:1] == ["run"]:
        args = args[1:]
    if name in INTERPRETERS:
        module = {"python": "-m", "py": "-m", "java": "-jar"}.get(name)
        if len(args) > 1 and args[0] == module and not (module == "-m" and args[1] in PACKAGE_LAUNCHERS):
            return "exec:" + canonical([command, *args[:2]])
        has_script = name != "java" and args and not args[0].startswith("-")
        has_script = has_script and not starts_packages(args[0])
        has_script = has_script and (name != "dotnet" or args[0].lower().endswith(".dll"))
        return "exec:" + canonical([command, args[0]]) if has_script else ""
    wraps = any(arg == "--" or program(arg) in LAUNCHERS for arg in args)
    return "" if name in LAUNCHERS or wraps else "exec:" + canonical([command])


def launch_route(command, args):
    route = package_route(command, args)
    if route is None:
        route = program_route(command, args)
    return route or "cmdline:" + canonical([command, *args])
