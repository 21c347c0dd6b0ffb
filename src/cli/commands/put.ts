import { homedir } from "node:os";
import { makeNoted } from "../../app/world/effects/sessions/session-effects.ts";
import {
	isRefused,
	nothingWords,
	type PutPlan,
	putFate,
	putQuestion,
	putRequest,
} from "../../app/world/questions/put-question.ts";
import { questionRows } from "../../app/world/screen/menus.ts";
import { findGit } from "../../catalog/git/git-repository.ts";
import { mergeTexts } from "../../changes/checkout/git.ts";
import { readerOf } from "../../changes/files/read-here.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { patchRoot } from "../../edits/patch.ts";
import type { PatchHunk } from "../../edits/patch-hunks.ts";
import { type Direction, type PutChange, type PutOptions, putChanges } from "../../edits/put-change.ts";
import type { ChangedFile } from "../../edits/session-changes.ts";
import { isWithin, nameFrom, resolvePath } from "../../shared/paths.ts";
import { keepHeapSmall } from "../../shared/v8-settings.ts";
import { isDirectory } from "../../store/files/paths.ts";
import { formatCounted } from "../../ui/text/format.ts";
import type { Line } from "../../ui/text/line.ts";
import { cleanText } from "../../ui/text/sanitize.ts";
import type { Arguments } from "../arguments/arguments.ts";
import type { ReadTarget } from "../find/find-target.ts";
import { Sessions } from "../find/sessions.ts";
import { jsonText } from "../print/json.ts";
import { EXIT, Mistake, note, printJsonText, remark, withProgressNote } from "../print/output.ts";
import { onOneLine, printListing } from "../print/table.ts";
import { ask, reportOutcome } from "./change/carry-out.ts";
import { type Engines, withEngines } from "./change/engines.ts";
import { gather, readSessionSpan, select } from "./show/diff.ts";

/** Takes back what a session changed in its files. */
export function revert(args: Arguments): Promise<number> {
	return put(args, "revert");
}

/** Puts what a session changed into the files of its directory. */
export function apply(args: Arguments): Promise<number> {
	return put(args, "apply");
}

async function put(args: Arguments, direction: Direction): Promise<number> {
	keepHeapSmall();
	const [word = "", ...names] = args.words;
	const { read, span: part } = await readSessionSpan(word, args);
	const from = await patchRoot(read.session, read.isRemote);
	const root = await rootFor(read, from, args);
	const changes = await withProgressNote(gather(read, part, args), () => "Comparing …");
	const selected = select(changes.files, names, from, read);
	const hunk = args.hunk === undefined ? undefined : hunkAt(args.hunk, selected, from, read);
	const { files, wants } = hunk ?? { files: selected, wants: undefined };
	const options: PutOptions = {
		...{ direction, wants, read: readerOf(root, from) },
		...(args["3way"] && { merge: mergeTexts }),
	};
	const puts = await putChanges(files, options);
	if (hunk?.isFound() === false)
		throw new Mistake(`--hunk ${args.hunk}: no hunk of the file has that line after the change`);
	const { row, session, isRemote } = read;
	const path = isRemote || row.place !== undefined ? "" : session.path;
	const plan: PutPlan = {
		...{ direction, path, title: sessionTitle(row), root, from },
		...{ changes: puts, commands: changes.commands },
	};
	if (args.dryRun) return printPlan(plan, args);
	return withEngines(await Sessions.of(args).rootsOf(read), (engines) => putWith(engines, plan, args));
}

async function putWith(engines: Engines, plan: PutPlan, args: Arguments): Promise<number> {
	const request = putRequest(plan);
	const refused = plan.changes.filter(isRefused);
	if (request === undefined && refused.length === 0) {
		remark(nothingWords(plan));
		return EXIT.nothing;
	}
	await engines.store.checkUse(plan.path === "" ? [] : [plan.path]);
	const { pis } = engines.known().live;
	const context = { home: homedir(), pis, rows: Number.POSITIVE_INFINITY, partly: args.partly === true };
	const question = putQuestion(plan, context);
	if (request === undefined || (refused.length > 0 && args.partly !== true)) {
		for (const line of planLines(plan)) remark(line.map(({ text }) => text).join(""));
		const rest = request === undefined ? "" : "; --partly does the rest";
		note(`nothing was done: ${formatCounted(refused.length, "file")} cannot be changed as a whole${rest}`);
		return EXIT.failed;
	}
	// A pi that works there does not know of it: that is a risk, which --yes does not cover.
	const isUsed = pis.some(({ cwd }) => isWithin(cwd, plan.root));
	const effect = await ask(isUsed ? { ...question, index: question.choices.length - 1 } : question, args.yes === true);
	if (effect?.type !== "files") return EXIT.nothing;
	const { message } = await makeNoted(effect, engines);
	if (args.json) await printJsonText(jsonText(planJson(plan)));
	return reportOutcome({ message });
}

/** The directory whose files are changed: that of the session, or the one that `--repo` names. */
async function rootFor({ isRemote }: ReadTarget, from: string, { repo }: Arguments): Promise<string> {
	if (repo !== undefined) {
		const path = resolvePath(repo);
		if (!isDirectory(path)) throw new Mistake(`--repo ${repo} is not a directory`);
		return (await findGit(path))?.top ?? path;
	}
	const where = "name a worktree or clone of its repository with --repo DIR";
	if (isRemote) throw new Mistake(`its directory ${from} is on another machine: ${where}`);
	if (!isDirectory(from)) throw new Mistake(`its directory ${from} is gone: ${where}`);
	return from;
}

/** The file of FILE:LINE, and which of its hunks is meant: the one that has this line after the change. */
function hunkAt(typed: string, files: readonly ChangedFile[], root: string, read: ReadTarget) {
	const [, name = "", digits] = /^(.+):(\d+)$/s.exec(typed) ?? [];
	if (digits === undefined) throw new Mistake(`--hunk needs FILE:LINE, not ${typed}`);
	const line = Number(digits);
	const selected = select(files, [name], root, read);
	if (selected.length !== 1)
		throw new Mistake(`--hunk ${typed}: ${selected.length === 0 ? "no" : "more than one"} changed file has that name`);
	if (selected[0]?.answer === "edits")
		throw new Mistake(`--hunk ${typed}: only the edits of the file are known; name the whole file`);
	let hasHunk = false;
	const isWanted = ({ now, lines }: PatchHunk): boolean => {
		const length = lines.filter(({ kind }) => kind !== "removed").length;
		const isMeant = line >= now && line < now + Math.max(1, length);
		hasHunk ||= isMeant;
		return isMeant;
	};
	return { files: selected, wants: () => isWanted, isFound: () => hasHunk };
}

/** Prints what would become of the files, and changes nothing. */
async function printPlan(plan: PutPlan, args: Arguments): Promise<number> {
	const table = {
		names: ["fate", "answer", "file", "why"],
		fieldsOf: (change: PutChange) => [
			cleanText(putFate(change, plan)),
			cleanText(change.file.answer),
			onOneLine(nameFrom(change.file.path, plan.from)),
			onOneLine(reasonOf(change)),
		],
	};
	await printListing(
		{
			values: plan.changes,
			table,
			linesOf: () => planLines(plan),
			printJson: () => printJsonText(jsonText(planJson(plan))),
		},
		args,
	);
	remark("Nothing was done.");
	return plan.changes.some(({ puts }) => puts.length > 0) ? EXIT.ok : EXIT.nothing;
}

/** What the browser would ask, in lines of any length: why something is refused is not cut off. */
function planLines(plan: PutPlan): readonly Line[] {
	const context = { home: homedir(), pis: [], rows: Number.POSITIVE_INFINITY, partly: true };
	return questionRows(putQuestion(plan, context), Number.POSITIVE_INFINITY);
}

function reasonOf({ why, refused, file }: PutChange): string {
	if (why !== "") return why;
	if (refused.length > 0) return refused.map(({ hunk, why: reason }) => `line ${hunk.now}: ${reason}`).join("; ");
	return file.why;
}

function planJson(plan: PutPlan): object {
	return {
		root: plan.root,
		files: plan.changes.map((change) => ({
			file: nameFrom(change.file.path, plan.from),
			fate: putFate(change, plan),
			answer: change.file.answer,
			why: reasonOf(change),
			refused: change.refused.map(({ hunk, why }) => ({ line: hunk.now, why })),
			writes: change.puts.map(({ path, from, to }) => ({
				file: nameFrom(path, plan.from),
				before: from?.text ?? null,
				after: to?.text ?? null,
			})),
		})),
		commands: plan.commands.map(({ entryId, text, turn }) => ({ entryId, text, turn })),
	};
}
