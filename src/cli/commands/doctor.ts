import { homedir } from "node:os";
import { NOTHING_TO_REPAIR, repairable, repairNotes } from "../../app/world/questions/notes.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import { scanFile } from "../../catalog/scan/scan-file.ts";
import { findSessionFiles } from "../../catalog/scan/session-files.ts";
import { copySentences, findingSentence, moreSentences } from "../../conversation/entries/finding-words.ts";
import { resolve } from "../../shared/paths.ts";
import { runToEnd, TimeSlice } from "../../shared/steps.ts";
import { type Examination, examineSteps, unreadable } from "../../store/doctor/examine-session.ts";
import { type Finding, gravityOf, piDoes } from "../../store/doctor/finding.ts";
import { planRepair, type RepairedCopy, repairSession } from "../../store/doctor/repair-session.ts";
import { errorCode, explain, StoreError } from "../../store/files/store-error.ts";
import { formatCount, formatCounted, shortenHome } from "../../ui/text/format.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { findWhole, placedIn, withoutEntry } from "../find/find-target.ts";
import type { FetchedSession, PlacedTarget } from "../find/placed-target.ts";
import { describeSessions } from "../find/session-json.ts";
import { Sessions } from "../find/sessions.ts";
import {
	EXIT,
	Mistake,
	note,
	printJsonList,
	printLines,
	printProblems,
	remarkToPerson,
	withProgressNote,
} from "../print/output.ts";
import { askAndChange, reportOutcome } from "./change/carry-out.ts";
import { withEngines } from "./change/engines.ts";

interface ExaminedFile extends Examination {
	readonly copies: readonly RepairedCopy[];
}

/**
 * Examines all sessions, or the named ones, and prints what is wrong or unusual in them. With `repairTo`, writes repaired
 * copies of the damaged ones; with `repair`, replaces them by such copies, after asking. Returns 0 if nothing is damaged, 1 if
 * something is, 2 if something could not be done.
 */
export async function doctor(args: Arguments): Promise<number> {
	const { words, repairTo, repair, json } = args;
	const roots = await Sessions.of(args).roots();
	const paths: string[] = [];
	/** Sessions of other places, by the paths of their copies here. */
	const fetched = new Map<string, SessionRow>();
	for (const word of words) {
		const placed = await placedIn(word);
		if (placed === undefined) paths.push((await findWhole(word, args)).path);
		else {
			const { copy, row } = await fetch(word, placed, args);
			fetched.set(copy, row);
			paths.push(copy);
		}
	}
	const sessionFiles = runToEnd(findSessionFiles(roots));
	if (words.length === 0) paths.push(...sessionFiles.files.map(({ path }) => path));
	let done = 0;
	const text = (): string => `Examining: ${formatCount(done)} of ${formatCounted(paths.length, "session")} …`;
	const failures: string[] = [];
	const examined: Examination[] = [];
	const slice = new TimeSlice();
	const examineAll = async (): Promise<void> => {
		for (const path of paths) {
			try {
				examined.push(await slice.run(examineSteps(path)));
			} catch (error) {
				// Of all sessions, one that vanished meanwhile is none any more, and one that cannot be read is a finding.
				if (words.length > 0) failures.push(failureSentence(path, error));
				else if (errorCode(error) !== "ENOENT")
					examined.push(unreadable(path, error instanceof StoreError ? error.reason : explain(error)));
			}
			done++;
		}
	};
	await withProgressNote(examineAll(), text);
	const all = examined
		.map((one) => ({ ...one, copies: repaired(one, repairTo, failures) }))
		.map((one) => ({ ...one, path: fetched.get(one.path)?.path ?? one.path }));
	const listed = all.filter(({ findings }) => findings.length > 0);
	const placedRows = new Map(fetched.values().map((row) => [row.path, row]));
	await (json ? printJson(listed, placedRows, args) : printLines(listed.flatMap((one) => linesOf(one, homedir()))));
	if (words.length === 0) printProblems([...roots.problems, ...sessionFiles.problems]);
	for (const failure of failures) note(failure);
	const damaged = all.filter(isDamaged);
	if (!json) remarkToPerson(sumLine(all, damaged.length));
	if (failures.length > 0) return EXIT.failed;
	if (damaged.length === 0) return EXIT.ok;
	const damagedPaths = damaged.map(({ path }) => path);
	return repair === true ? repairInPlace(damagedPaths, roots, args) : EXIT.nothing;
}

/** Fetches a session of another place; none of them is repaired. */
async function fetch(word: string, placed: PlacedTarget, { repair, repairTo }: Arguments): Promise<FetchedSession> {
	const target = withoutEntry(word, placed);
	if (repair !== undefined || repairTo !== undefined)
		throw new Mistake(`${word} is in another place, ${placed.place.name}, which is read-only: repair it there`);
	return (await import("../find/placed-target.ts")).fetchSession(target);
}

/** Prints each session, what was found in it, and its repaired copies; whatever the list finds damaged is a finding. */
async function printJson(
	all: readonly ExaminedFile[],
	placedRows: ReadonlyMap<string, SessionRow>,
	args: Arguments,
): Promise<void> {
	const rows = new Map(all.map(({ path }) => [path, placedRows.get(path) ?? scanFile(path).row]));
	const describe = await describeSessions([...rows.values()], args);
	return printJsonList(all, ({ path, entries, sessions, findings, totals, copies }) => {
		const row = rows.get(path) ?? scanFile(path).row;
		return { ...describe(row), entries, sessions, findings, totals, copies };
	});
}

/** Asks as the browser does, and repairs these sessions as one change; returns the exit code. */
function repairInPlace(paths: readonly string[], roots: SessionRoots, args: Arguments): Promise<number> {
	return withEngines(roots, async (engines) => {
		await engines.list();
		const planned = new Map(paths.map((path) => [path, planRepair(path)]));
		const going = repairable(planned);
		if (going.length === 0) throw new Mistake(NOTHING_TO_REPAIR);
		// A named file may be outside of the listed directories.
		for (const path of going) await engines.row(path);
		return reportOutcome(await askAndChange({ type: "repair" }, going, engines, args, repairNotes(planned)));
	});
}

function isDamaged({ findings }: Examination): boolean {
	return findings.some((finding) => gravityOf(finding) !== "odd");
}

function repaired(one: Examination, repairTo: string | undefined, failures: string[]): readonly RepairedCopy[] {
	if (repairTo === undefined || !isDamaged(one)) return [];
	try {
		return repairSession(one.path, resolve(repairTo));
	} catch (error) {
		failures.push(failureSentence(one.path, error));
		return [];
	}
}

function failureSentence(path: string, error: unknown): string {
	return error instanceof StoreError ? error.message : `Cannot examine ${path}: ${explain(error)}`;
}

function linesOf(one: ExaminedFile, home: string): Line[] {
	const { path, entries, sessions, findings, copies } = one;
	const several = sessions > 1 ? `, ${formatCounted(sessions, "session")} in one file` : "";
	const head = [
		span(sanitizeLine(shortenHome(path, home)), "heading"),
		span(`  ${formatCounted(entries, "entry", "entries")}${several}`, "muted"),
	];
	const more = moreSentences(one).map((sentence): Line => [span(sanitizeLine(`    ${sentence}`), "muted")]);
	return [
		head,
		...findings.flatMap(findingLines),
		...more,
		...copies.flatMap((copy) => copyLines(copy, home)),
		[span("")],
	];
}

function findingLines(finding: Finding): Line[] {
	const isOdd = gravityOf(finding) === "odd";
	const pi = piDoes(finding.code);
	return [
		[
			span(isOdd ? "  · " : "  ! ", isOdd ? "muted" : "error"),
			span(sanitizeLine(findingSentence(finding))),
			span(`  ${finding.code}`, "muted"),
		],
		...(pi === undefined ? [] : [[span(cleanText(`    ${pi}`), "muted")]]),
	];
}

function copyLines(copy: RepairedCopy, home: string): Line[] {
	const { dropped, changes } = copySentences(copy);
	return [
		[
			span("  → "),
			span(sanitizeLine(shortenHome(copy.path, home))),
			span(`  ${formatCounted(copy.entries, "entry", "entries")}`, "muted"),
		],
		...changes.map((change): Line => [span(cleanText("    changed: "), "muted"), span(sanitizeLine(change))]),
		...dropped.map((why): Line => [span(cleanText("    left out: "), "warning"), span(sanitizeLine(why))]),
	];
}

function sumLine(all: readonly ExaminedFile[], damaged: number): string {
	const copies = all.reduce((sum, { copies: made }) => sum + made.length, 0);
	const written =
		copies > 0 ? `; ${formatCounted(copies, "repaired copy", "repaired copies")} written, nothing else changed` : "";
	return `${formatCounted(all.length, "session file")} examined, ${formatCount(damaged)} damaged${written}`;
}
