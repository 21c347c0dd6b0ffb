import { outcomeSpans } from "../../app/features/prompts/draw-use-row.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { projectName } from "../../catalog/query/conditions.ts";
import { wholeText } from "../../catalog/uses/entry-texts.ts";
import type { Use, UsedText, UseKind } from "../../catalog/uses/use.ts";
import { largest } from "../../shared/columns.ts";
import { formatCount, formatTime, sortableTime, TIME_WIDTH } from "../../ui/text/format.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine, cutText, lineWidth, padText, textWidth } from "../../ui/text/width.ts";
import { type MentionJson, mentionJson } from "../find/session-json.ts";
import { onOneLine, type Table } from "../print/table.ts";

/** A prompt or a command as `--json` prints it. Its text is raw: sanitize it before drawing. */
export interface UsedTextJson {
	readonly text: string;
	/** Number of uses; copies in forks do not count. */
	readonly count: number;
	/** Number of sessions with a use. */
	readonly sessions: number;
	/** Number of uses that failed; only of a command. */
	readonly failures?: number;
	/** Newest first. */
	readonly uses: readonly UseJson[];
}

interface UseJson extends MentionJson {
	/** Id of the entry; "" if the file has none: use the line then. */
	readonly entryId: string;
	/** 1-based line in the file. */
	readonly line: number;
	/** Null if the entry has no time. */
	readonly time: Date | null;
	/** Who ran a command: the person (`!`), or the model. */
	readonly by?: Use["by"];
	/** Of a command; null if it did not exit by itself, or has no result. */
	readonly exitCode?: number | null;
	/** How a command without an exit code ended; null if it has one, or no result. */
	readonly ended?: Use["ended"] | null;
	/** How long a command ran; null if unknown. */
	readonly durationMs?: number | null;
}

type Rows = ReadonlyMap<string, SessionRow>;

export function usedTextJson(one: UsedText, rows: Rows): UsedTextJson {
	const { kind, count, sessions, failures } = one;
	const uses = one.uses.map((use) => jsonOfUse(use, rows));
	return { text: textOf(one), count, sessions, ...(kind === "command" && { failures }), uses };
}

function jsonOfUse(use: Use, rows: Rows): UseJson {
	const { path, entryId, line, time, by, exitCode = null, ended = null, durationMs = null } = use;
	const place = {
		...mentionJson(path, rows.get(path)),
		entryId,
		line,
		time: Number.isNaN(time) ? null : new Date(time),
	};
	return use.kind === "prompt" ? place : { ...place, by, exitCode, ended, durationMs };
}

/** The whole text, of which only the beginning is kept in memory; that beginning if the file has changed meanwhile. */
function textOf({ text, length, uses: [use] }: UsedText): string {
	if (text.length === length || use === undefined) return text;
	try {
		return wholeText(use) ?? text;
	} catch {
		return text;
	}
}

const ENDING_NAMES = ["exit code", "duration"];

/** For another program: the latest use, how often it was used, and the whole text. */
export function usedTextTable(kind: UseKind, rows: Rows): Table<UsedText> {
	const names = ["address", "time", "uses", ...(kind === "command" ? ENDING_NAMES : []), "cwd", "text"];
	return { names, fieldsOf: (one) => fieldsOf(one, rows) };
}

function fieldsOf(one: UsedText, rows: Rows): CleanText[] {
	const [use] = one.uses;
	if (use === undefined) return [];
	const row = rows.get(use.path);
	const ending = [
		String(use.exitCode ?? use.ended ?? "-"),
		use.durationMs === undefined ? "-" : String(use.durationMs),
	];
	return [
		addressOf(use, row),
		cleanText(sortableTime(use.time) || "-"),
		cleanText(String(one.count)),
		...(one.kind === "command" ? ending.map(cleanText) : []),
		sanitizeLine(row?.cwd ?? "") || cleanText("-"),
		cleanText(textOf(one)),
	];
}

/** The address of the entry on the command line: SESSION#ENTRY. */
function addressOf({ path, entryId }: Use, row: SessionRow | undefined): CleanText {
	const session = row === undefined || row.id === "" ? path : row.id;
	return onOneLine(entryId === "" ? session : `${session}#${entryId}`);
}

/** For a terminal of `columns`: time of the latest use, count, for a command its outcome, project, text. */
export function usedTextLines(texts: readonly UsedText[], rows: Rows, columns: number): Line[] {
	const cells = texts.flatMap((one) => {
		const [use] = one.uses;
		return use === undefined ? [] : [{ one, use, count: `${formatCount(one.count)}×`, outcome: outcomeSpans(use) }];
	});
	const countWidth = largest(cells.map(({ count }) => count.length));
	const outcomeWidth = largest(cells.map(({ outcome }) => lineWidth(outcome)));
	const project = (use: Use) => sanitizeLine(projectName(rows.get(use.path)?.cwd ?? "")) || cleanText("-");
	const projectWidth = Math.min(MOST_PROJECT, largest(cells.map(({ use }) => textWidth(project(use)))));
	return cells.map(({ one, use, count, outcome }) => {
		const padding = " ".repeat(outcomeWidth - lineWidth(outcome));
		const line = [
			span(`${formatTime(use.time, Date.now()).padEnd(TIME_WIDTH)}  ${count.padStart(countWidth)}  `, "muted"),
			...(one.kind === "command" ? [span(padding), ...outcome, span(outcomeWidth === 0 ? "" : "  ")] : []),
			span(`${padText(cutText(project(use), projectWidth), projectWidth)}  `, "muted"),
			span(sanitizeLine(one.text)),
		];
		return cutLine(line, columns);
	});
}

const MOST_PROJECT = 20;
