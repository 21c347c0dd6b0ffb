import type { SessionRow } from "../../../catalog/model/row.ts";
import { titleText } from "../../../conversation/entries/session-title.ts";
import type { AnsweredLine } from "../../../edits/blame-file.ts";
import { type EditTurn, turnKey } from "../../../edits/edit-turns.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { idOf } from "../../print/table.ts";

interface PorcelainFacts {
	readonly rows: ReadonlyMap<string, SessionRow>;
	/** By `turnKey`. */
	readonly turns: ReadonlyMap<string, EditTurn>;
	/** Path of the file, for lines that are not committed. */
	readonly name: string;
	/** Whether each line has all headers, as with `--line-porcelain`. */
	readonly isEach: boolean;
}

const NO_COMMIT = "0".repeat(40);

/**
 * Answers in the form of `git blame --porcelain`. The author is the session, its mail the address of the edit, the summary the prompt; a
 * line that no session is known to have written has the author that Git names. Headers come again where lines of one commit have
 * different authors. `session`, `entry` and `answer` are headers of our own.
 */
export function* porcelain(answered: readonly AnsweredLine[], facts: PorcelainFacts): Generator<string> {
	const lines = answered.map(({ line, answer }) => ({
		...{ hash: line.commit?.hash ?? NO_COMMIT, original: line.origin?.number ?? line.number, line },
		headers: headersOf({ line, answer }, facts),
	}));
	const printed = new Map<string, string>();
	for (const [index, { hash, original, line, headers }] of lines.entries()) {
		const goesOn = (at: number): boolean => {
			const [one, next] = [lines[at - 1], lines[at]];
			const isNext =
				one !== undefined && next?.original === one.original + 1 && next.line.number === one.line.number + 1;
			return isNext && next.hash === one.hash && next.headers === one.headers;
		};
		let end = index + 1;
		while (goesOn(end)) end++;
		const count = goesOn(index) ? "" : ` ${end - index}`;
		const isPrinted = !facts.isEach && printed.get(hash) === headers;
		printed.set(hash, headers);
		yield `${hash} ${original} ${line.number}${count}\n${isPrinted ? "" : headers}\t${line.text}\n`;
	}
}

function headersOf({ line, answer }: AnsweredLine, { rows, turns, name }: PorcelainFacts): string {
	const git = line.commit?.headers ?? uncommitted(name);
	const headers = new Map(GIT_HEADERS.map((header) => [header, git.get(header)] as const));
	const [edit] = answer.edits;
	const row = edit && rows.get(edit.session);
	if (edit !== undefined && row !== undefined) {
		const title = sanitizeLine(titleText(row));
		headers.set("author", answer.answer === "exact" ? title : `maybe ${title}`);
		headers.set("author-mail", `<${idOf(row.id)}#${idOf(edit.entryId)}>`);
		if (!Number.isNaN(edit.timeMs)) headers.set("author-time", String(Math.floor(edit.timeMs / 1000)));
		headers.set("author-tz", "+0000");
		const prompt = sanitizeLine(turns.get(turnKey(edit))?.prompt ?? "");
		if (prompt !== "") headers.set("summary", prompt);
		headers.set("session", idOf(row.id));
		headers.set("entry", idOf(edit.entryId));
	}
	headers.set("answer", answer.answer);
	// The last one, as Git has it.
	headers.set("filename", sanitizeLine(line.origin?.path ?? name));
	const lines = [...headers].flatMap(([header, value]) =>
		value === undefined ? [] : [`${header} ${value}`.trimEnd()],
	);
	return lines.map((one) => `${one}\n`).join("");
}

/** In their order; "boundary" has no value. */
const GIT_HEADERS: readonly string[] = [
	...["author", "author-mail", "author-time", "author-tz"],
	...["committer", "committer-mail", "committer-time", "committer-tz", "summary", "previous", "boundary"],
];

/** What Git says of a line that is not committed. */
function uncommitted(name: string): ReadonlyMap<string, string> {
	const now = String(Math.floor(Date.now() / 1000));
	const facts = [
		["", "Not Committed Yet"],
		["-mail", "<not.committed.yet>"],
		["-time", now],
		["-tz", "+0000"],
	] as const;
	const ofBoth = ["author", "committer"].flatMap((who) => facts.map(([what, value]) => [who + what, value] as const));
	return new Map([...ofBoth, ["summary", `Version of ${name} from ${name}`]]);
}
