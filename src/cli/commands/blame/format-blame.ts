import { homedir } from "node:os";
import { runNameOf } from "../../../catalog/families/run-name.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import type { KnownEdit } from "../../../edits/blame.ts";
import { formatDayTime, shortenHome } from "../../../ui/text/format.ts";
import { type Line, span, strong, type Tone } from "../../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, cutText, padText } from "../../../ui/text/width.ts";
import { mentionJson } from "../../find/session-json.ts";
import { idOf, type Table } from "../../print/table.ts";
import type { AnsweredLine, BlameContext } from "./blame.ts";
import { isoOf } from "./read-edits.ts";

/** Characters of a commit's hash that are shown; `--json` has all. */
const HASH = 10;
const TONES = { exact: "added", candidates: "warning", unknown: "muted" } as const satisfies Record<string, Tone>;

/** A line as `--json` prints it. */
export function answerJson({ line, answer }: AnsweredLine, context: BlameContext): object {
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
		edits: answer.edits.map((edit) => ({
			...mentionJson(edit.session, context.rows.get(edit.session)),
			entryId: edit.entryId,
			tool: edit.tool,
			file: edit.path,
			time: isoOf(edit.timeMs),
			active: context.active.has(edit),
			askedBy: askedBy(edit, context),
		})),
	};
}

/** For an edit of a subagent, the session that asked for its run. */
function askedBy({ session }: KnownEdit, { rows }: BlameContext): object | null {
	const parent = rows.get(rows.get(session)?.run?.parent ?? "");
	return parent === undefined ? null : mentionJson(parent.path, parent);
}

/** For another program, with "-" for a missing field; the addresses are separated by commas. */
export function lineTable(context: BlameContext): Table<AnsweredLine> {
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
export function answerLines({ line, answer }: AnsweredLine, context: BlameContext): Line[] {
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
			const branch = context.active.has(edit) ? "" : "  on an abandoned branch";
			return [
				span("  "),
				span(addressOf(edit, context), "label"),
				span(`  ${formatDayTime(edit.timeMs, Date.now()) || "-"}  ${edit.tool}  `, "muted"),
				span(titleOf(edit, context)),
				span(sanitizeLine(`${branch}${file}`), "muted"),
			];
		}),
	];
}

/** A table of lines, for a terminal: commit, answer, session, text. */
export function tableLines(all: readonly AnsweredLine[], context: BlameContext, columns: number): Line[] {
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

/** A line of code, with its indentation. */
function codeOf(text: string): CleanText {
	return cleanText(text.replaceAll("\t", "    "));
}

/** "session#entry", as other commands take it. */
function addressOf({ session, entryId }: KnownEdit, { rows }: BlameContext): CleanText {
	return cleanText(`${idOf(rows.get(session)?.id ?? "")}#${idOf(entryId)}`);
}

function titleOf({ session }: KnownEdit, { rows }: BlameContext): CleanText {
	const row = rows.get(session);
	if (row === undefined) return cleanText("-");
	const parent = rows.get(row.run?.parent ?? "");
	if (parent === undefined) return sessionTitle(row);
	// What is asked for is whose wish the line was.
	return sanitizeLine(`${runNameOf(row.name ?? "")?.agent ?? "a subagent"} for “${sessionTitle(parent)}”`);
}
