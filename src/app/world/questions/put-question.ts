import type { RunningPi } from "../../../catalog/model/live.ts";
import type { Note } from "../../../changes/answer.ts";
import type { FilesRequest } from "../../../changes/kinds/files.ts";
import { listNames } from "../../../changes/reason.ts";
import { CODE_TAB_STOP } from "../../../conversation/render/code-lines.ts";
import type { RanCommand } from "../../../edits/files-at.ts";
import { nameCommands } from "../../../edits/known.ts";
import { hunksBetween } from "../../../edits/patch-hunks.ts";
import type { Direction, PutChange } from "../../../edits/put-change.ts";
import { isWithin, nameFrom } from "../../../shared/paths.ts";
import { formatCounted, shortenHome, withoutMiddle } from "../../../ui/text/format.ts";
import { cleanLines, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText, textWidth } from "../../../ui/text/width.ts";
import type { GoesOn } from "../state/effect.ts";
import type { EffectQuestion } from "../state/overlays.ts";

/** What would be taken back, or put in place. */
export interface PutPlan {
	readonly direction: Direction;
	/** Path of the session; "" if it is not on this machine. */
	readonly path: string;
	readonly title: string;
	/** Where the files are changed, and where the session had them. Absolute. */
	readonly root: string;
	readonly from: string;
	readonly changes: readonly PutChange[];
	/** What ran meanwhile, and may have changed more. */
	readonly commands: readonly RanCommand[];
}

export interface PutContext {
	readonly home: string;
	readonly pis: readonly RunningPi[];
	/** Rows for files; the rest is summed up. */
	readonly rows: number;
	/** Whether the rest is offered where something is refused. */
	readonly partly: boolean;
}

/** The request that does all that can be done; undefined if nothing is to be done. */
export function putRequest({ direction, path, title, root, from, changes }: PutPlan): FilesRequest | undefined {
	const files = changes.flatMap(({ puts }) =>
		puts.map((put) => ({ name: nameFrom(put.path, from), from: put.from, to: put.to })),
	);
	if (files.length === 0) return undefined;
	const how = direction === "revert" ? "take back" : "put in place";
	const hunks = countHunks(changes);
	return { type: "files", path, title, how, root, files, ...(hunks !== undefined && { hunks }) };
}

/** How many hunks go in or out; undefined if all files do as a whole. */
function countHunks(changes: readonly PutChange[]): number | undefined {
	const done = changes.filter(({ puts }) => puts.length > 0);
	if (done.every(({ part }) => part === undefined)) return undefined;
	const counts = done.map(({ file, refused, part }) => {
		return (part ?? (hunksBetween(file.before ?? "", file.after ?? "").length || 1)) - refused.length;
	});
	return counts.reduce((sum, count) => sum + count, 0);
}

/** Whether something would be left out. */
export function isRefused({ why, refused }: PutChange): boolean {
	return why !== "" || refused.length > 0;
}

/** Shows what would become of each file, and asks. */
export function putQuestion(plan: PutPlan, context: PutContext): EffectQuestion {
	const { direction, title, root, changes, commands } = plan;
	const request = putRequest(plan);
	const [verb, stays] = direction === "revert" ? ["Take back", "stays"] : ["Put here", "is left out"];
	const names = new Set(changes.flatMap(({ puts, file }) => (puts.length === 0 ? [] : [file.path])));
	const count = formatCounted(names.size, "file");
	const hasRefused = changes.some(isRefused);
	const offers = request !== undefined && (!hasRefused || context.partly);
	const what =
		request?.hunks === undefined ? `the changes of ${count}` : `${formatCounted(request.hunks, "hunk")} in ${count}`;
	const label = hasRefused ? `${verb} what fits, in ${count}` : `${verb} ${what}`;
	return {
		title: sanitizeLine(`${verb} what “${cutText(sanitizeLine(title), TITLE_CELLS)}” changed?`),
		body: [
			{ text: `In ${sanitizeLine(shortenHome(root, context.home))}.` },
			...fileNotes(plan, context),
			...(request === undefined && !hasRefused ? [{ text: nothingWords(plan) }] : []),
			...(commands.length === 0
				? []
				: [warn(`Commands may have changed more, which ${stays}: ${sanitizeLine(nameCommands(commands))}.`)]),
			...piNotes(context.pis, root),
		],
		choices: [...(offers ? [{ label, effect: request }] : []), { label: "Cancel" }],
		danger: false,
	};
}

/**
 * Asks whether to take back the changes of files after an entry, and to go on from there (`next`). `left`: files that only branches that
 * were left changed meanwhile.
 */
export function rewindQuestion(
	plan: PutPlan,
	context: PutContext,
	next: GoesOn | undefined,
	left: number,
): EffectQuestion {
	const { body, danger } = putQuestion(plan, context);
	const files = putRequest(plan);
	const fits = plan.changes.some(isRefused) ? "Take back what fits" : "Take these changes back";
	const stays = `Branches that were left changed ${formatCounted(left, "file")}, which stay as they are.`;
	const isOnly = next === undefined;
	const goesOn = isOnly ? [] : [{ label: "Continue, and leave the files as they are", effect: next }];
	const takeBack = (request: FilesRequest) =>
		isOnly
			? { label: fits, effect: request }
			: { label: `${fits}, and continue`, effect: { type: "rewind", files: request, next } as const };
	return {
		title: isOnly
			? "Take back what this session changed since?"
			: "Continue from here, with the later changes taken back?",
		body: [...body, ...(left === 0 ? [] : [warn(stays)])],
		choices: [...(files === undefined ? [] : [takeBack(files)]), ...goesOn, { label: "Cancel" }],
		danger,
	};
}

/** Why there is nothing to do where nothing is refused. */
export function nothingWords({ direction, changes }: PutPlan): string {
	if (changes.length === 0) return "No file was changed that is known.";
	return direction === "revert" ? "Nothing of it is left to take back." : "All of it is there already.";
}

const TITLE_CELLS = 44;
const NAME_CELLS = 44;

function warn(text: string): Note {
	return { text, tone: "warning" };
}

/** A row for each file: what becomes of it, or why nothing does; what is not sure, and each hunk that is left out, below it. */
function fileNotes(plan: PutPlan, { rows }: PutContext): readonly Note[] {
	const { changes, from } = plan;
	const order = changes.toSorted((one, other) => Number(isRefused(other)) - Number(isRefused(one)));
	const shownChanges = order.length <= rows ? order : order.slice(0, Math.max(1, rows - 1));
	const nameOf = ({ file }: PutChange) => sanitizeLine(nameFrom(file.path, from));
	const width = Math.min(NAME_CELLS, Math.max(0, ...shownChanges.map((change) => textWidth(nameOf(change)))));
	const parts = shownChanges.filter(({ part }) => part !== undefined);
	const roomEach = Math.min(MOST_LINES, Math.floor((rows - shownChanges.length) / parts.length));
	const notes = shownChanges.flatMap((change): readonly Note[] => {
		const name = cutText(nameOf(change), width);
		const words = putFate(change, plan);
		const text = `${words.padEnd(FATE_CELLS)}  ${name}`;
		const padding = " ".repeat(Math.max(0, width - textWidth(name)));
		const { why, file, refused } = change;
		const doubt =
			why || (file.answer === "exact" ? "" : `${file.answer === "edits" ? "edit by edit" : file.answer}: ${file.why}`);
		const tone = why === "" ? (doubt === "" ? "text" : "warning") : "error";
		const row = {
			text: doubt === "" ? text : `${text}${padding}  ${sanitizeLine(doubt)}`,
			tone,
			shape: "row",
		} as const;
		const hunkRows = refused.map(({ hunk, why: reason }): Note => {
			return { text: `  line ${hunk.now} is left out: ${sanitizeLine(reason)}`, tone: "error", shape: "row" };
		});
		return [row, ...lineNotes(change, roomEach), ...(why === "" ? hunkRows : [])];
	});
	const rest = order.slice(shownChanges.length);
	return rest.length === 0
		? notes
		: [...notes, { text: `and ${formatCounted(rest.length, "more file")}`, tone: "muted" }];
}

const FATE_CELLS = 8;
/** Rows of one file for the lines that change in it; with fewer than the least there are none. */
const MOST_LINES = 20;
const LEAST_LINES = 3;

/** What will differ in a file of which only some hunks are meant. */
function lineNotes({ part, puts: [put] }: PutChange, room: number): readonly Note[] {
	if (part === undefined || put === undefined || room < LEAST_LINES) return [];
	const hunks = hunksBetween(put.from?.text ?? "", put.to?.text ?? "");
	const notes = hunks.flatMap(({ lines }) =>
		lines.map(({ kind, text }): Note => {
			const sign = { same: " ", removed: "−", added: "+" }[kind];
			const [line = ""] = cleanLines(text, CODE_TAB_STOP);
			return { text: `  ${sign} ${line}`, tone: kind === "same" ? "muted" : kind, shape: "row" };
		}),
	);
	return withoutMiddle(notes, room - 1, (text) => ({ text: `  ${text}`, tone: "muted", shape: "row" }));
}

/** "removed", "comes back", "as it was", in one or two words. */
export function putFate({ puts, why, refused, file }: PutChange, { direction }: Pick<PutPlan, "direction">): string {
	if (why !== "") return "refused";
	const [first, second] = puts;
	if (first === undefined) return direction === "revert" ? "as it was" : "there";
	if (second !== undefined) return direction === "revert" && file.renamedFrom !== undefined ? "back" : "moved";
	if (first.to === undefined) return "to trash";
	if (first.from === undefined) return direction === "revert" ? "back" : "new";
	if (refused.length > 0) return "partly";
	return first.from.text === first.to.text ? "mode" : "changed";
}

/** Who works there now. */
function piNotes(pis: readonly RunningPi[], root: string): readonly Note[] {
	const here = pis.filter(({ cwd }) => isWithin(cwd, root));
	if (here.length === 0) return [];
	const names = listNames(
		here.map(({ pid }) => `pid ${pid}`),
		3,
	);
	return [warn(`pi runs in this directory (${names}): it does not know of the change until it reads the files again.`)];
}
