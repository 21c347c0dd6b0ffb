import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { runNameOf } from "../../../catalog/families/run-name.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import type { BlameAnswer, FileSpan, LineEdit } from "../../../edits/blame.ts";
import { type AnsweredLine, answersFor } from "../../../edits/blame-file.ts";
import { BlameError, blamedFile } from "../../../edits/blamed-file.ts";
import { type EditTurn, readTurns, turnKey } from "../../../edits/edit-turns.ts";
import { ON_BRANCH } from "../../../edits/known.ts";
import { StoreError } from "../../../store/files/store-error.ts";
import { readHeld } from "../../../store/held/hold-session.ts";
import { formatCount, formatCounted, formatDayTime, shortenHome } from "../../../ui/text/format.ts";
import { type Line, span, strong, type Tone } from "../../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, cutText, padText } from "../../../ui/text/width.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import { listRows } from "../../find/listed-rows.ts";
import { mentionJson } from "../../find/session-json.ts";
import {
	exitCode,
	note,
	orMistake,
	printJsonList,
	printPieces,
	printProblems,
	remarkToPerson,
} from "../../print/output.ts";
import { idOf, printListing, type Table } from "../../print/table.ts";
import { porcelain } from "./porcelain.ts";
import { isoOf, readWithNote } from "./read-edits.ts";

interface BlameContext {
	readonly rows: ReadonlyMap<string, SessionRow>;
	/** Those of the edits that are printed in full, by `turnKey`. */
	readonly turns: ReadonlyMap<string, EditTurn>;
}

export async function blame(args: Arguments): Promise<number> {
	const [word = ""] = args.words;
	const { file: typed, span: lines } = takeApart(word);
	const file = await orMistake(blamedFile(typed, lines), BlameError);
	const { rows, problems } = await listRows(args);
	const {
		lines: answered,
		edits,
		unread,
	} = await readWithNote(rows.length, (onProgress) => answersFor(file, { rows, home: homedir(), onProgress }));
	const answers = answered.map(({ answer }) => answer);
	const isPorcelain = args.porcelain === true || args.linePorcelain === true;
	const isInFull = file.isSpan && answered.length === 1;
	const named = isPorcelain || args.json === true || isInFull ? answers.flatMap((answer) => answer.edits) : [];
	const turns = await readTurns(named, (path) => readHeld(path).catch(orMissing));
	const context = { rows: new Map(rows.map((row) => [row.path, row])), turns };
	const listing = {
		values: answered,
		table: lineTable(context),
		linesOf: (columns: number) =>
			isInFull ? answered.flatMap((one) => answerLines(one, context)) : tableLines(answered, context, columns),
		printJson: () => printJsonList(answered, (one) => answerJson(one, context)),
	};
	if (isPorcelain)
		await printPieces(
			porcelain(answered, { ...context, name: file.names[0] ?? file.path, isEach: args.linePorcelain === true }),
		);
	else await printListing(listing, args);
	printProblems(problems);
	for (const sentence of unread) note(sentence);
	if (file.noCommits !== undefined) note(`no commit is known: ${file.noCommits}`);
	if (!args.json && !isPorcelain) remarkToPerson(sumLine(answers, edits));
	return exitCode(answers.filter(({ answer }) => answer !== "unknown").length, unread, problems);
}

/** Reads "FILE", "FILE:LINE" or "FILE:FROM-TO". A file may have a colon and a number at the end of its name. */
function takeApart(word: string): { readonly file: string; readonly span: FileSpan | undefined } {
	const [, file, from, to] = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/s.exec(word) ?? [];
	if (file === undefined || existsSync(word)) return { file: word, span: undefined };
	return { file, span: { from: Number(from), to: Number(to ?? from) } };
}

function sumLine(answers: readonly BlameAnswer[], edits: readonly LineEdit[]): string {
	const counts = (["exact", "candidates", "unknown"] as const).map((answer) => {
		const count = answers.filter((one) => one.answer === answer).length;
		return count === 0 ? "" : `${formatCount(count)} ${answer === "candidates" ? "with candidates" : answer}`;
	});
	const sessions = new Set(edits.map(({ session }) => session)).size;
	const source = `${formatCounted(edits.length, "edit")} of this file in ${formatCounted(sessions, "session")}`;
	return `${formatCounted(answers.length, "line")}: ${counts.filter(Boolean).join(", ")}; ${source}`;
}

function orMissing(error: unknown): undefined {
	if (!(error instanceof StoreError)) throw error;
}

/** The turn of an edit; of a session that could not be read, nothing says that it was left. */
function turnOf(edit: LineEdit, { turns }: BlameContext): Partial<EditTurn> {
	return turns.get(turnKey(edit)) ?? {};
}

/** Characters of a commit's hash that are shown; `--json` has all. */
const HASH = 10;
const TONES = { exact: "added", candidates: "warning", unknown: "muted" } as const satisfies Record<string, Tone>;

function answerJson({ line, answer }: AnsweredLine, context: BlameContext): object {
	const { commit } = line;
	return {
		line: line.number,
		text: line.text,
		commit:
			commit === undefined
				? null
				: {
						hash: commit.hash,
						author: commit.author,
						authored: isoOf(commit.authorMs),
						committed: isoOf(commit.committedMs),
						summary: commit.summary,
					},
		answer: answer.answer,
		why: answer.why,
		source: answer.source ?? null,
		edits: answer.edits.map((edit) => {
			const { turn = null, prompt, isActive = true } = turnOf(edit, context);
			return {
				...mentionJson(edit.session, context.rows.get(edit.session)),
				entryId: edit.entryId,
				tool: edit.tool,
				file: edit.path,
				time: isoOf(edit.timeMs),
				active: isActive,
				turn,
				prompt: prompt === undefined ? null : sanitizeLine(prompt),
				askedBy: askedBy(edit, context),
			};
		}),
	};
}

/** For an edit of a subagent, the session that started its run. */
function askedBy({ session }: LineEdit, { rows }: BlameContext): object | null {
	const parent = rows.get(rows.get(session)?.run?.parent ?? "");
	return parent === undefined ? null : mentionJson(parent.path, parent);
}

/** For another program, with "-" for a missing field; the addresses are separated by commas. */
function lineTable(context: BlameContext): Table<AnsweredLine> {
	return {
		names: ["line", "answer", "commit", "addresses", "text"],
		fieldsOf({ line, answer }) {
			const commit = line.commit?.hash.slice(0, HASH) ?? "-";
			const addresses = answer.edits.map((edit) => addressOf(edit, context)).join(",") || "-";
			const facts = [String(line.number), answer.answer, commit, addresses].map((text) => cleanText(text));
			return [...facts, codeOf(line.text)];
		},
	};
}

/** All that is known of one line, for a terminal. */
function answerLines({ line, answer }: AnsweredLine, context: BlameContext): Line[] {
	const { commit } = line;
	const home = homedir();
	const commitLine =
		commit === undefined
			? [span("no commit", "muted")]
			: [
					span(commit.hash.slice(0, HASH), "label"),
					span(`  ${formatDayTime(commit.committedMs, Date.now())}  `, "muted"),
					span(sanitizeLine(commit.author)),
					span("  "),
					span(sanitizeLine(commit.summary)),
				];
	return [
		[span(`${String(line.number)}  `, "muted"), span(codeOf(line.text))],
		commitLine,
		[strong(answer.answer, TONES[answer.answer]), span("  "), span(sanitizeLine(answer.why), "muted")],
		...answer.edits.map((edit): Line => {
			const file = edit.isHere ? "" : `  ${shortenHome(edit.path, home)}`;
			const { turn = 0, prompt = "", isActive = true } = turnOf(edit, context);
			const words = turn === 0 ? "" : `, turn ${formatCount(turn)}: ${cutText(sanitizeLine(prompt), PROMPT_CELLS)}`;
			const branch = isActive ? "" : `  ${ON_BRANCH}`;
			return [
				span("  "),
				span(addressOf(edit, context), "label"),
				span(`  ${formatDayTime(edit.timeMs, Date.now()) || "-"}  ${edit.tool}  `, "muted"),
				span(titleOf(edit, context)),
				span(sanitizeLine(`${words}${branch}${file}`), "muted"),
			];
		}),
	];
}

const PROMPT_CELLS = 60;

/** A table of lines, for a terminal: commit, answer, session, text. */
function tableLines(all: readonly AnsweredLine[], context: BlameContext, columns: number): Line[] {
	const digits = String(all.at(-1)?.line.number ?? 0).length;
	// With little room, only the text distinguishes the lines.
	const titleWidth = columns < 60 ? 0 : Math.min(30, Math.floor(columns / 5));
	return all.map(({ line, answer }) => {
		const [edit] = answer.edits;
		const more = answer.edits.length > 1 ? ` +${answer.edits.length - 1}` : "";
		const title = edit === undefined ? cleanText("") : cutText(titleOf(edit, context), titleWidth - more.length);
		return cutLine(
			[
				...(titleWidth === 0 ? [] : [span(`${line.commit?.hash.slice(0, 8) ?? "-".padEnd(8)}  `, "muted")]),
				span(answer.answer.padEnd(12), TONES[answer.answer]),
				...(titleWidth === 0 ? [] : [span(`${padText(cleanText(`${title}${more}`), titleWidth)}  `)]),
				span(`${String(line.number).padStart(digits)}  `, "muted"),
				span(codeOf(line.text)),
			],
			columns,
		);
	});
}

function codeOf(text: string): CleanText {
	return cleanText(text.replaceAll("\t", "    "));
}

/** "session#entry", as other commands take it. */
function addressOf({ session, entryId }: LineEdit, { rows }: BlameContext): CleanText {
	return cleanText(`${idOf(rows.get(session)?.id ?? "")}#${idOf(entryId)}`);
}

function titleOf({ session }: LineEdit, { rows }: BlameContext): CleanText {
	const row = rows.get(session);
	if (row === undefined) return cleanText("-");
	const parent = rows.get(row.run?.parent ?? "");
	if (parent === undefined) return sessionTitle(row);
	// The person wanted the line in the session that started the run.
	return sanitizeLine(`${runNameOf(row.name ?? "")?.agent ?? "a subagent"} for “${sessionTitle(parent)}”`);
}
