import type { SessionRow } from "../../../catalog/model/row.ts";
import { titleText } from "../../../conversation/entries/session-title.ts";
import { type EditTurn, editTurn } from "../../../conversation/markdown/turn-prompt.ts";
import type { LineEdit } from "../../../edits/blame.ts";
import type { AnsweredLine } from "../../../edits/blame-file.ts";
import { StoreError } from "../../../store/files/store-error.ts";
import { readHeld } from "../../../store/held/hold-session.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { idOf } from "../../print/table.ts";

/** Reads the turns of edits, with prompts on one line and without what cannot be seen; those of sessions that cannot be read are missing. */
export async function readTurns(edits: Iterable<LineEdit>): Promise<ReadonlyMap<LineEdit, EditTurn>> {
	const turns = new Map<LineEdit, EditTurn>();
	for (const [path, ofSession] of Map.groupBy(edits, ({ session }) => session)) {
		try {
			const session = await readHeld(path);
			for (const edit of ofSession) {
				const turn = editTurn(session, edit.entryId);
				turns.set(edit, { ...turn, prompt: sanitizeLine(turn.prompt) });
			}
		} catch (error) {
			if (!(error instanceof StoreError)) throw error;
		}
	}
	return turns;
}

interface PorcelainFacts {
	readonly rows: ReadonlyMap<string, SessionRow>;
	readonly turns: ReadonlyMap<LineEdit, EditTurn>;
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
		const prompt = turns.get(edit)?.prompt ?? "";
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
