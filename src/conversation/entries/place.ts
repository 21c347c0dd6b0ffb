import { nameInShell, prefixOf, sessionHome, wayInto } from "../../shared/paths.ts";
import { Spellings, systemOf } from "../../shared/system.ts";
import { fieldsOf, textOf } from "../../store/format/fields.ts";
import { toolPath } from "../../store/format/tool-change.ts";
import type { Session } from "../../store/read/read-session.ts";
import { shortenHome } from "../../ui/text/format.ts";

/** The directories that the paths of a session are shortened to. */
export interface Place {
	/** The session's directory, without a trailing slash; "" if it has none. */
	readonly cwd: string;
	readonly home: string;
}

export function placeOf(session: Session, home: string): Place {
	const cwd = textOf(fieldsOf(session.header).cwd);
	return { cwd: withoutSlash(cwd), home };
}

/** Shortens a path: relative to the session's directory, else with "~". */
export function shortPath(path: string, place: Place): string {
	const { cwd, home } = place;
	const whole = withoutSlash(atHome(path, sessionHome(cwd, home)));
	if (cwd === "" || cwd === "/") return shortenHome(path, home);
	if (whole === cwd) return ".";
	if (whole.startsWith(prefixOf(cwd))) return whole.slice(prefixOf(cwd).length);
	const way = systemOf(cwd).ignoresCase ? wayInto(cwd, whole) : undefined;
	if (way !== undefined) return way || ".";
	return path.startsWith("./") && path.length > 2 ? path.slice(2) : shortenHome(path, home);
}

/** Of files, as this process has met them first. */
const FILES = new Spellings();

/** The short path of a file that tools have called so: one for all spellings that the session's system takes for the same file. */
export function shortFile(path: string, place: Place): string {
	const { cwd, home } = place;
	const whole = systemOf(cwd).ignoresCase ? toolPath(path, cwd, home) : undefined;
	return shortPath(whole === undefined ? path : FILES.of(whole), place);
}

/** `cd DIR &&` or `cd DIR;` before a command; the directory may be quoted. */
const CHANGES_DIRECTORY = /^\s*cd\s+("[^"\n]*"|'[^'\n]*'|(?:\\.|[^\s;&|"'\\<>()$`])+)[ \t]*(?:&&|;|\n)\s*/;
/** Characters of a command that are searched for it: no directory has a longer name. */
const MAX_CHANGE = 5000;

/** A command without a leading `cd` to the session's own directory; a `cd` to one below it stays, shortened. */
export function shortCommand(command: string, place: Place): string {
	const change = CHANGES_DIRECTORY.exec(command.slice(0, MAX_CHANGE));
	if (change === null) return command;
	const [all, target = ""] = change;
	const rest = command.slice(all.length);
	const path = /^["']/.test(target) ? target.slice(1, -1) : target.replace(/\\(.)/g, "$1");
	const short = shortPath(nameInShell(path, place.cwd), place);
	if (rest.trimStart() === "" || short === path) return command;
	return short === "." ? rest : `cd ${/\s/.test(short) ? `"${short}"` : short} && ${rest}`;
}

/** Characters of a command that are read for its row, where paths and blanks are shortened. */
const MAX_ROW_COMMAND = 3000;
const GOES_ELSEWHERE = /(?:^|[\s;&|(])(?:cd|pushd|popd)(?:\s|$)/;

/**
 * The beginning of a command as one row: paths below the session's directory begin with "./", unless it goes to another one
 * first, and "⏎" stands for the ends of its lines.
 */
export function commandRow(command: string, place: Place): string {
	const short = shortCommand(command, place).slice(0, MAX_ROW_COMMAND).trim();
	const local = GOES_ELSEWHERE.test(short) ? short : withLocalPaths(short, place);
	const lines = trimmed(local.split(/\\\r?\n/))
		.join(" ")
		.split("\n");
	return trimmed(lines).join(" ⏎ ");
}

function trimmed(parts: readonly string[]): string[] {
	return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** Only where the directory is a whole beginning of a word: "host:/srv/app" and "/srv/app2" are other places. */
function withLocalPaths(command: string, { cwd, home }: Place): string {
	if (cwd === "" || cwd === "/") return command;
	// In the person's home, "~" stays as it is.
	const spellings = [...new Set([cwd, shortenHome(cwd, sessionHome(cwd, home))])].filter(
		(one) => one !== "~" && command.includes(one),
	);
	return spellings.reduce(
		(text, spelling) =>
			text.replace(new RegExp(`(?<=^|[\\s"'=(<>,])${escapedForPattern(spelling)}(?=[/\\s"';&|)<>,:]|$)`, "g"), "."),
		command,
	);
}

function escapedForPattern(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function atHome(path: string, home: string): string {
	return home !== "" && (path === "~" || path.startsWith("~/")) ? `${home}${path.slice(1)}` : path;
}

function withoutSlash(path: string): string {
	return path.length > 1 && /[/\\]$/.test(path) ? path.slice(0, -1) : path;
}
