import { homedir } from "node:os";
import { makeNoted } from "../../app/world/effects/sessions/session-effects.ts";
import { removePrivateDirectories } from "../../app/world/effects/temporary-directory.ts";
import { baseNotes, type FilesContext, filesQuestion, restNotes } from "../../app/world/questions/files-question.ts";
import type { Outcome } from "../../app/world/state/effect.ts";
import { findGit } from "../../catalog/git/git-repository.ts";
import { defaultStateDir } from "../../catalog/model/session-roots.ts";
import { directoryHere } from "../../catalog/places/placed-rows.ts";
import { checkoutOf, withoutRefused } from "../../changes/kinds/checkout.ts";
import { freeDirectory } from "../../changes/kinds/checkout-place.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { entryPlainText } from "../../conversation/markdown/plain-text.ts";
import { type FileAt, type FilesAt, filesAtEntry } from "../../edits/files-at.ts";
import { isOfThisSystem, resolvePath } from "../../shared/paths.ts";
import { keepHeapSmall } from "../../shared/v8-settings.ts";
import { isDirectory } from "../../store/files/paths.ts";
import { formatCounted } from "../../ui/text/format.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine } from "../../ui/text/width.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { finish } from "../browser/finish.ts";
import { choosePi } from "../browser/surroundings.ts";
import { type ReadTarget, readTarget } from "../find/find-target.ts";
import { Sessions } from "../find/sessions.ts";
import { jsonText } from "../print/json.ts";
import { EXIT, Mistake, note, printJsonText, printPath, remark, withProgressNote } from "../print/output.ts";
import { onOneLine, printListing } from "../print/table.ts";
import { ask, carryOut, reportOutcome } from "./change/carry-out.ts";
import { type Engines, withEngines } from "./change/engines.ts";

export async function checkout(args: Arguments): Promise<number> {
	keepHeapSmall(35);
	const [word = ""] = args.words;
	const pi = await choosePi(args.pi, process.env);
	try {
		const read = await readTarget(word, args);
		const sessionRoots = await Sessions.of(args).rootsOf(read);
		const end = await withEngines(sessionRoots, (engines) => checkoutWith(engines, read, args), pi);
		if (typeof end === "number") return end;
		const terminal = { input: process.stdin, output: process.stdout, close: () => undefined };
		return await finish(end, { terminal, stateDir: defaultStateDir(process.env, homedir()) });
	} finally {
		removePrivateDirectories();
	}
}

/** The pi to start once the engines are closed, or the exit code. */
async function checkoutWith(engines: Engines, read: ReadTarget, args: Arguments): Promise<Outcome | number> {
	const { session, row, isRemote } = read;
	const entry = read.entry ?? session.tree.byId.get(session.tree.leafId ?? "");
	if (entry === undefined) throw new Mistake(`there is no entry in ${read.name}`);
	await engines.list();
	const options = { home: read.home, rows: [...engines.known().rows.values()], clone: await cloneFor(read, args) };
	const files = await withProgressNote(
		filesAtEntry(session, entry.id, options).then((plan) => withoutRefused(plan)),
		() => "Finding out what the files were …",
	);
	if (files.hasGitFailed) {
		note(`nothing is made, since the commit from then is not known: ${files.baseReason}`);
		return EXIT.failed;
	}
	const into = args.into === undefined ? await freeDirectory(files, homedir()) : resolvePath(args.into);
	const path = isRemote || row.place !== undefined ? "" : session.path;
	const about = { path, title: sessionTitle(row), entryId: entry.id, into };
	const context: FilesContext = {
		...{ ...about, words: entryPlainText(entry), home: homedir(), now: Date.now() },
		rows: Number.POSITIVE_INFINITY,
	};
	if (args.dryRun) return printPlan(files, context, args);
	if (args.yes) remarkNotes(files, context);
	const effect = args.yes
		? checkoutOf(files, { ...about, branches: false })
		: await ask(filesQuestion(files, context), false);
	if (effect === undefined) return EXIT.nothing;
	if (effect.type !== "checkout") {
		const outcome = await carryOut(effect, engines, false);
		return engines.left() ?? reportOutcome(outcome);
	}
	const { message, unwritten } = await makeNoted(effect, engines);
	if (args.json) await printJsonText(jsonText(planJson(files, into, unwritten)));
	else await printPath(into);
	return reportOutcome({ message });
}

/** The clone of the repository of a session of another machine: the one named, else the directory of the same name here. */
async function cloneFor({ row, home, isRemote }: ReadTarget, { repo, into }: Arguments): Promise<string | undefined> {
	if (repo !== undefined) {
		const path = resolvePath(repo);
		if (!isDirectory(path)) throw new Mistake(`--repo ${repo} is not a directory`);
		if ((await findGit(path)) === undefined) throw new Mistake(`--repo ${repo} is not in a Git repository`);
		return path;
	}
	const isOther = !isOfThisSystem(row.cwd);
	if (!isRemote && (!isOther || into !== undefined)) return undefined;
	const here = directoryHere(row.cwd, { there: home, here: homedir() });
	if (here !== undefined && isDirectory(here)) return here;
	const otherwise = isOther && !isRemote ? "; or make only the session's files with --into DIR" : "";
	throw new Mistake(
		`its directory ${row.cwd} is on another ${isOther ? "system" : "machine"}: name a clone of its repository on this one with --repo DIR${otherwise}`,
	);
}

/** Prints what would be made, and makes nothing. */
async function printPlan(files: FilesAt, context: FilesContext, args: Arguments): Promise<number> {
	const table = {
		names: ["answer", "file", "why"],
		fieldsOf: ({ answer, name, why }: FileAt) => [cleanText(answer), onOneLine(name), onOneLine(why)],
	};
	const linesOf = (columns: number): readonly Line[] =>
		filesQuestion(files, context).body.map((each) => {
			const { text, tone } = typeof each === "string" ? { text: each, tone: undefined } : each;
			return cutLine([span(sanitizeLine(text), tone)], columns);
		});
	const printJson = (): Promise<void> => printJsonText(jsonText(planJson(files, context.into)));
	await printListing({ values: files.files, table, linesOf, printJson }, args);
	if (!process.stdout.isTTY && !args.json) remarkNotes(files, context);
	const written = files.files.filter(({ text }) => text !== undefined).length;
	remark(`Nothing was made. Without --dry-run, ${formatCounted(written, "file")} would be written.`);
	return EXIT.ok;
}

/** Says on stderr what is not a file: on which commit they are, and what may be missing. */
function remarkNotes(files: FilesAt, { into, home }: FilesContext): void {
	for (const { text } of [...baseNotes(files, into, home), ...restNotes(files, home)])
		remark(text.replaceAll("\u00A0", " "));
}

function planJson(plan: FilesAt, into: string, unwritten?: ReadonlyMap<string, string>): object {
	const { base, baseReason, root, timeMs, files, commands, otherCommands, outside, unread } = plan;
	const commit = base && { commit: base.commit, subject: base.subject, how: base.how };
	return {
		into,
		root,
		time: new Date(timeMs).toISOString(),
		base: commit ?? null,
		baseReason: baseReason || null,
		files: files.map(({ name, answer, why, text, session, entryId }) => ({
			...{ file: name, answer, why, written: text !== undefined && unwritten?.has(name) !== true },
			...{ session, entryId: entryId ?? null },
		})),
		commands: commands.map(({ entryId, text, turn }) => ({ entryId, text, turn })),
		otherCommands: otherCommands.map(({ text, title }) => ({ text, title })),
		outside,
		unread,
	};
}
