import type { Session } from "../../store/read/read-session.ts";
import { shortenHome } from "../../ui/text/format.ts";
import { fieldsOf, textOf } from "./fields.ts";

/** The directories that the paths of a session are shortened to. */
export interface Place {
	/** The session's directory, without a trailing slash; "" if it has none. */
	readonly cwd: string;
	/** The person's home directory. */
	readonly home: string;
}

/** The directories that the paths of this session are shortened to. */
export function placeOf(session: Session, home: string): Place {
	const cwd = textOf(fieldsOf(session.header).cwd);
	return { cwd: withoutSlash(cwd), home };
}

/** Shortens a path: relative to the session's directory, else with "~". */
export function shortPath(path: string, place: Place): string {
	const { cwd, home } = place;
	const whole = withoutSlash(atHome(path, home));
	if (cwd === "" || cwd === "/") return shortenHome(path, home);
	if (whole === cwd) return ".";
	if (whole.startsWith(`${cwd}/`) || whole.startsWith(`${cwd}\\`)) return whole.slice(cwd.length + 1);
	return path.startsWith("./") && path.length > 2 ? path.slice(2) : shortenHome(path, home);
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
