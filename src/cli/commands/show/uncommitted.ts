import { existsSync } from "node:fs";
import { homedir } from "node:os";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { type LineChange, totalLines } from "../../../conversation/entries/change-spans.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { isReason } from "../../../edits/git-process.ts";
import { section } from "../../../edits/patch.ts";
import { type Maker, type UncommittedFile, uncommittedIn } from "../../../edits/uncommitted.ts";
import { hunksFor } from "../../../edits/woven-lines.ts";
import { isWithin, join, resolvePath } from "../../../shared/paths.ts";
import { outputColumns } from "../../../terminal/terminal.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { cleanLines, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import { findWhole } from "../../find/find-target.ts";
import { mentionJson } from "../../find/session-json.ts";
import { Sessions } from "../../find/sessions.ts";
import {
	exitCode,
	Mistake,
	note,
	printJsonList,
	printLines,
	printPieces,
	remarkToPerson,
	withProgressNote,
} from "../../print/output.ts";
import { idOf, onOneLine, printListing } from "../../print/table.ts";
import { changeColumns } from "../blame/read-edits.ts";
import { coloredLine, namesOf } from "./patch-lines.ts";

/** Lines beside each other that one author changed, or what has no lines. */
interface Change extends LineChange {
	readonly file: UncommittedFile;
	readonly kind: "changed" | "new" | "deleted" | "mode" | "no text";
	/** Lines of the file as it is now, from 1; `to` is less where lines were only removed. Null for what has no lines. */
	readonly from: number | null;
	readonly to: number | null;
	readonly before: string | null;
	readonly after: string | null;
	readonly maker: Maker;
}

type RowsByPath = ReadonlyMap<string, SessionRow>;
type IsWanted = (maker: Maker) => boolean;

export async function uncommitted(args: Arguments): Promise<number> {
	const odd = (["turn", "runs"] as const).find((option) => args[option] === true);
	if (odd !== undefined) throw new Mistake(`option --${odd} does not go with --uncommitted`);
	const all = await Sessions.of(args).list();
	const cwd = process.cwd();
	const result = await withProgressNote(uncommittedIn(cwd, { rows: all, home: homedir() }), () => "Comparing …");
	if (result === undefined || isReason(result))
		throw new Mistake(`cannot compare ${cwd} with HEAD: ${result?.reason ?? "it is not in a Git repository"}`);
	const { files, root, unread } = result;
	const [word, ...rest] = args.words;
	const isFile =
		word !== undefined &&
		word !== "." &&
		!word.endsWith(".jsonl") &&
		(existsSync(word) || select(files, word, root).length > 0);
	const session = word === undefined || isFile ? undefined : (await findWhole(word, args)).path;
	if (session !== undefined && args.byHand)
		throw new Mistake(`--by-hand is what no session changed; leave ${word} out`);
	const isWanted: IsWanted = ({ step }) =>
		args.byHand ? step === undefined : session === undefined || step?.witness.session.path === session;
	const names = isFile ? args.words : rest;
	const chosen =
		names.length === 0 ? files : files.filter((file) => names.some((name) => select([file], name, root).length > 0));
	for (const name of names) if (select(files, name, root).length === 0) note(`nothing of ${name} differs from HEAD`);
	const changes = chosen.flatMap((file) => changesIn(file).filter(({ maker }) => isWanted(maker)));
	const rows = new Map(all.map((row) => [row.path, row]));
	if (args.json) await printJsonList(changes, (change) => changeJson(change, root, rows));
	else if (args.stat) await printStat(changes, root, rows, args);
	else await printPatch(changes, isWanted, rows);
	for (const sentence of unread) note(sentence);
	const sum = totalLines(changes);
	const count = new Set(changes.map(({ file }) => file)).size;
	if (!args.json)
		remarkToPerson(`${formatCounted(count, "file")}, +${formatCount(sum.added)} −${formatCount(sum.removed)}`);
	return exitCode(changes.length, unread, []);
}

/** The files that a name means: of the current directory, else of the top of the repository. */
function select(files: readonly UncommittedFile[], name: string, root: string): readonly UncommittedFile[] {
	const whole = [resolvePath(name), resolvePath(name, root)];
	return files.filter((file) => whole.some((path) => isWithin(join(root, file.name), path)));
}

function changesIn(file: UncommittedFile): readonly Change[] {
	const { before, after, modes, maker, lines } = file;
	const isBoth = before !== undefined && after !== undefined;
	const kind = before === undefined ? "new" : after === undefined ? "deleted" : "changed";
	const changes: Change[] = [];
	const none = { ...{ file, maker, from: null, to: null, added: 0, removed: 0 }, before: null, after: null };
	if (!file.isText) return [{ ...none, kind: "no text" }];
	if (isBoth && modes.before !== modes.after)
		changes.push({ ...none, kind: "mode", before: modes.before ?? null, after: modes.after ?? null });
	if (!isBoth && lines.length === 0) changes.push({ ...none, kind });
	const runs: UncommittedFile["lines"][number][][] = [];
	let last: Maker | undefined;
	for (const line of lines) {
		const { by } = line;
		if (by !== undefined && last?.step === by.step && last?.why === by.why) runs.at(-1)?.push(line);
		else if (by !== undefined) runs.push([line]);
		last = by;
	}
	const textOf = (some: UncommittedFile["lines"]): string => some.map(({ text }) => text).join("");
	for (const run of runs) {
		const [removed, added] = [run.filter(({ side }) => side === "removed"), run.filter(({ side }) => side === "added")];
		const start = run[0]?.at ?? 0;
		changes.push({
			file,
			kind,
			maker: run[0]?.by ?? maker,
			from: start + 1,
			to: (added.at(-1)?.at ?? start - 1) + 1,
			added: added.length,
			removed: removed.length,
			before: textOf(removed),
			after: textOf(added),
		});
	}
	return changes;
}

/** Prints a section for each file: on a terminal in color, else the bytes that git apply takes. */
async function printPatch(changes: readonly Change[], isWanted: IsWanted, rows: RowsByPath): Promise<void> {
	const byFile = [...Map.groupBy(changes, ({ file }) => file)];
	const sections = byFile.map(([file, own]) => ({
		...{ name: file.name, isText: file.isText, ...sectionOf(file, isWanted) },
		comments: own
			.map((change) => `${sanitizeLine(`# ${placeOf(change)}: ${authorOf(change, rows)}${doubtOf(change)}`)}\n`)
			.join(""),
	}));
	const texts = sections.map(({ comments, patch }) => comments + patch);
	if (outputColumns() === undefined) await printPieces(texts);
	else for (const text of texts) await printLines(cleanLines(text.replace(/\n$/, "")).map(coloredLine));
	const [others, tight] = [sections.filter(({ isText }) => !isText), sections.filter(({ isTight }) => isTight)];
	if (others.length > 0) note(`not in the patch, because they are no text: ${namesOf(others)}`);
	if (tight.length > 0)
		note(
			`lines of two authors touch in ${namesOf(tight)}: git apply takes this with -R, but not for the file as HEAD has it`,
		);
}

/** What the wanted makers changed in a file, as a section of a patch. */
function sectionOf(file: UncommittedFile, isWanted: IsWanted): { readonly patch: string; readonly isTight: boolean } {
	const { name, before, after, modes, lines, maker } = file;
	if (!file.isText) return { patch: "", isTight: false };
	const names = { old: name, now: name };
	const isOurs = ({ by }: UncommittedFile["lines"][number]): boolean => by !== undefined && isWanted(by);
	const { hunks, isTight } = hunksFor(lines, isOurs);
	const isBoth = before !== undefined && after !== undefined;
	// A new file stays with the lines of the others.
	const isPart = !isBoth && lines.some((line) => !isOurs(line));
	const whole = isBoth || isPart ? { before: "", after: "" } : { before, after };
	const ownModes = isPart || (isBoth && !isWanted(maker)) ? {} : modes;
	return {
		patch: section({ ...names, ...whole, modes: ownModes, hunks }),
		isTight: isTight || (isPart && hunks.length > 0),
	};
}

/** "src/a.ts:3–5", "src/a.ts:3, 2 lines removed". */
function placeOf({ file: { name }, kind, from, to, added, removed }: Change): string {
	if (from === null || to === null) return `${name}, ${kind}`;
	if (added === 0) return `${name}:${from}, ${formatCounted(removed, "line")} removed`;
	return from === to ? `${name}:${from}` : `${name}:${from}–${to}`;
}

/** "turn 3 of “Make it fast” (01a1…#5bc21ad0)", "by hand". */
function authorOf({ maker: { step } }: Change, rows: RowsByPath): string {
	if (step === undefined) return "by hand";
	const row = rows.get(step.witness.session.path);
	const turn = step.turn === 0 ? "before the first prompt" : `turn ${step.turn}`;
	return `${turn} of “${row === undefined ? "-" : sessionTitle(row)}” (${idOf(row?.id ?? "")}#${idOf(step.entryId)})`;
}

function doubtOf({ maker: { answer, why } }: Change): string {
	return answer === "exact" ? "" : `; ${answer}: ${why}`;
}

/** A line for each author of each file. */
function printStat(changes: readonly Change[], root: string, rows: RowsByPath, args: Arguments): Promise<void> {
	const byAuthor = Map.groupBy(changes, (change) => `${change.file.name}\0${authorOf(change, rows)}`);
	const values = [...byAuthor.values()].flatMap((ofOne) => {
		const [first] = ofOne;
		if (first === undefined) return [];
		return [{ name: first.file.name, ...totalLines(ofOne), author: sanitizeLine(authorOf(first, rows)) }];
	});
	const lineOf = (value: (typeof values)[number]): Line => [
		...changeColumns(value, values),
		span(sanitizeLine(value.name)),
		span(cleanText(`  ${value.author}`), "muted"),
	];
	const table = {
		names: ["path", "added", "removed", "author"],
		fieldsOf: ({ name, added, removed, author }: (typeof values)[number]) => [
			...[onOneLine(join(root, name)), cleanText(String(added)), cleanText(String(removed)), author],
		],
	};
	const printJson = (): Promise<void> => printJsonList(values, (value) => value);
	return printListing({ values, table, linesOf: () => values.map(lineOf), printJson }, args);
}

function changeJson({ file, maker, added, removed, ...change }: Change, root: string, rows: RowsByPath): object {
	const { step, answer, why } = maker;
	const author = step && {
		...mentionJson(step.witness.session.path, rows.get(step.witness.session.path)),
		...{ entryId: step.entryId, turn: step.turn },
	};
	return {
		path: join(root, file.name),
		name: file.name,
		...change,
		added,
		removed,
		author: author ?? null,
		answer,
		why,
	};
}
