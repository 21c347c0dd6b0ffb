import { filesWith } from "./narrow-files.ts";
import type { SearchFile } from "./search.ts";
import type { SearchFilesOptions } from "./search-files.ts";

/** The first time with thirteen digits, in Unix ms: 2001. */
const LEAST = 1e12;
/** Digits that are compared: sixteen minutes. */
const DIGITS = 7;
/** A time with another offset from UTC names another day. */
const DAYS_MS = 2 * 86_400_000;

/**
 * The files that may have a message of the time `from` (Unix ms) or a later one, or a session of that time without messages; all
 * others have none. Ripgrep finds this out several times as fast as a reading of the files finds their times. Rejects with a
 * `RipgrepError`, or the signal's reason.
 */
export async function mayBeSince(
	from: number,
	files: readonly SearchFile[],
	options: SearchFilesOptions,
): Promise<ReadonlySet<SearchFile>> {
	if (from < LEAST) return new Set(files);
	const since = await filesWith([timeSince(from)], files, options);
	// Without any time in a session, that of its file counts.
	return new Set(files.filter(({ path, modified }) => modified >= from || since?.has(path) !== false));
}

/**
 * A pattern for what may be the time of an entry that is `from` (Unix ms, not before 2001) or later: any that is not certainly
 * earlier.
 */
export function timeSince(from: number): string {
	const number = String(Math.floor(from)).slice(0, DIGITS);
	const day = new Date(from - DAYS_MS).toISOString().slice(0, "2001-01-01".length);
	const longer = "[0-9]{14}";
	const power = "[0-9.+-]*[eE]";
	const unusual = otherForm("dddd-dd-dd");
	// Ignoring case takes twice as long.
	return String.raw`(?-i:"timestamp"\s*:\s*(?:${notBefore(number)}[0-9]{${13 - DIGITS}}|${longer}|${power}|"(?:${notBefore(day)}|${unusual})))`;
}

/** Texts of the same form that are not less. */
function notBefore(text: string): string {
	const greater = [...text].flatMap((digit, at) =>
		/[0-8]/.test(digit) ? [`${text.slice(0, at)}[${Number(digit) + 1}-9]${digits(text.slice(at + 1))}`] : [],
	);
	return `(?:${[text, ...greater].join("|")})`;
}

function digits(text: string): string {
	return text.replaceAll(/[0-9]/g, "[0-9]");
}

/** Texts that do not begin in this form, in which `d` stands for a digit. */
function otherForm(form: string): string {
	const ways = [...form].map((character, at) => {
		const before = form.slice(0, at).replaceAll("d", "[0-9]");
		return `${before}[^${character === "d" ? "0-9" : character}]`;
	});
	return `(?:${ways.join("|")})`;
}
