import type { Session } from "../../store/read/read-session.ts";
import { shortenHome } from "../../ui/text/format.ts";
import { fieldsOf, textOf } from "./fields.ts";

/** Where a session's paths are seen from. */
export interface Place {
	/** The session's directory, without a slash at its end; "" when it has none. */
	readonly cwd: string;
	/** The person's home directory. */
	readonly home: string;
}

/** The place of a session. */
export function placeOf(session: Session, home: string): Place {
	const cwd = textOf(fieldsOf(session.header).cwd);
	return { cwd: withoutSlash(cwd), home };
}

/** A path as short as it can be said: relative to the session's directory, else with "~". */
export function shortPath(path: string, place: Place): string {
	const { cwd, home } = place;
	const whole = withoutSlash(atHome(path, home));
	if (cwd === "" || cwd === "/") return shortenHome(path, home);
	if (whole === cwd) return ".";
	if (whole.startsWith(`${cwd}/`) || whole.startsWith(`${cwd}\\`)) return whole.slice(cwd.length + 1);
	return path.startsWith("./") && path.length > 2 ? path.slice(2) : shortenHome(path, home);
}

/** `cd DIR &&` or `cd DIR;` before a command, the directory quoted or not. */
const CHANGES_DIRECTORY = /^\s*cd\s+("[^"\n]*"|'[^'\n]*'|(?:\\.|[^\s;&|"'\\<>()$`])+)[ \t]*(?:&&|;|\n)\s*/;
/** Characters of a command in which that is looked for: no directory has a longer name. */
const LONGEST_CHANGE = 5000;

/**
 * A command without what is the same in all: a change to the session's own directory before it. A change to one below that
 * stays, shortened.
 */
export function shortCommand(command: string, place: Place): string {
	const change = CHANGES_DIRECTORY.exec(command.slice(0, LONGEST_CHANGE));
	if (change === null) return command;
	const [all, target = ""] = change;
	const rest = command.slice(all.length);
	const path = unquoted(target);
	const short = shortPath(path, place);
	if (rest.trimStart() === "" || short === path) return command;
	return short === "." ? rest : `cd ${/\s/.test(short) ? `"${short}"` : short} && ${rest}`;
}

function unquoted(word: string): string {
	return /^["']/.test(word) ? word.slice(1, -1) : word.replace(/\\(.)/g, "$1");
}

function atHome(path: string, home: string): string {
	return home !== "" && (path === "~" || path.startsWith("~/")) ? `${home}${path.slice(1)}` : path;
}

function withoutSlash(path: string): string {
	return path.length > 1 && /[/\\]$/.test(path) ? path.slice(0, -1) : path;
}
