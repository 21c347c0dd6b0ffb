import { conversationLeaf } from "../../../conversation/entries/leaf.ts";
import { outlineOf } from "../../../conversation/entries/outline.ts";
import { behindResults, type Passage, type PassageScope, passagesOf } from "../../../conversation/entries/passages.ts";
import { resolvePath } from "../../../shared/paths.ts";
import { isDamaged } from "../../../store/format/diagnostic.ts";
import { isOwnMark } from "../../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import { isOutside, type ReadOptions, type ReadTarget, readTarget } from "../../find/find-target.ts";
import { rowFilter } from "../../find/row-filter.ts";
import type { Describe } from "../../find/session-json.ts";
import { type JsonText, jsonListEnd, jsonListItem, jsonListStart } from "../../print/json.ts";
import {
	EXIT,
	enumerate,
	isMistake,
	Mistake,
	note,
	printJsonText,
	printPieces,
	remarkToPerson,
} from "../../print/output.ts";
import { withPager } from "../../print/pager.ts";
import { passagesFrom } from "./limit.ts";
import { lastInText, showText, showTree } from "./show-text.ts";

export function show(args: Arguments): Promise<number> {
	return withPager(() => printSession(args), args.noPager !== true);
}

async function printSession(args: Arguments): Promise<number> {
	const [word = ""] = args.words;
	// What only some forms need is loaded with them: it is most of the code.
	if (args.file !== undefined || args.at !== undefined) return (await import("./show-file.ts")).showFile(args);
	const wrong = checkForm(args);
	if (wrong !== undefined) throw new Mistake(wrong);
	if (args.raw) return (await import("./show-raw.ts")).showRaw(args);
	const read = await readForShow(word, args);
	if (read === undefined) {
		note(`${word} is not a session of the project ${resolvePath(args.cwd ?? ".")} on this machine`);
		return EXIT.nothing;
	}
	const { offset } = read;
	const isText = args.tree !== true && args.html !== true && args.runs !== true && args.digest !== true;
	if (offset !== undefined && (!isText || (args.json && !args.markdown)))
		throw new Mistake(`${word} begins in the middle of a text, which only text and --markdown can print`);
	if (args.all === true && isText && offset === undefined && read.entry !== undefined)
		throw new Mistake(`--all shows every branch, and ${word} is one entry; --branch shows the branch that it is on`);
	if (args.digest && read.entry !== undefined)
		throw new Mistake(`--digest is of a whole session, and ${word} is one entry; name the session`);
	if (args.runs && read.row.place !== undefined)
		throw new Mistake(
			`the runs of a session in another place are listed there: pi-grove list --place ${read.row.place} --runs`,
		);
	if (args.html) return showPage(read, args);
	if (args.runs) return (await import("./show-runs.ts")).showRuns(read, args);
	await print(read, args);
	if (args.json !== true) noteDamage(read);
	return EXIT.ok;
}

async function print(read: ReadTarget, args: Arguments): Promise<void> {
	const scope = scopeOf(read, args);
	if (args.digest) return (await import("./show-digest.ts")).showDigest(read, args);
	if (args.tree) {
		const folded = await showTree(read, args);
		if (folded > 0) remarkToPerson(`${formatCounted(folded, "branch", "branches")} folded; --all opens all of them`);
		return;
	}
	if (args.json && !args.markdown) {
		const { describeSessions } = await import("../../find/session-json.ts");
		return showJson(read, scope, await describeSessions([{ ...read.row, path: read.path }], args));
	}
	if (args.markdown) await (await import("./show-markdown.ts")).showMarkdown(read, scope, args);
	else {
		const folded = await showText(read, scope, args);
		if (folded > 0) remarkToPerson(`folded in ${formatCounted(folded, "place")}; --full shows all`);
	}
	if (scope.of === "active" && !args.json) noteOtherBranches(read);
}

/**
 * Reads what the word names, and masks it (`--masked`). Undefined if it belongs to another project than `--cwd` names, or is where no
 * list of this machine has sessions.
 */
async function readForShow(word: string, args: Arguments): Promise<ReadTarget | undefined> {
	// Before anything is connected to or opened: `--cwd` is for callers that may only read this project.
	if (args.cwd !== undefined && (await isOutside(word, args))) return undefined;
	const read = await readTarget(word, args, { offsets: true, part: partOf(word, args) }).catch((error: unknown) => {
		// Candidates would show texts of other sessions, unmasked.
		throw args.masked && isMistake(error) ? new Mistake(error.message) : error;
	});
	if (!rowFilter({ words: [], ...(args.cwd !== undefined && { cwd: args.cwd }) }, Date.now())(read.row))
		return undefined;
	if (!args.masked) return read;
	(await import("../share/share-target.ts")).noteRemote(read);
	return (await import("../share/masked-target.ts")).maskedTarget(read);
}

/** Above this `--max-chars`, the whole session is read: finding the last entry that fits means drawing the text twice. */
const MOST_DRAWN_TWICE = 1_000_000;

/** Which entries must be read; undefined for all. */
function partOf(word: string, args: Arguments): ReadOptions["part"] {
	const { maxChars = Number.POSITIVE_INFINITY } = args;
	// Masking, the digest, listing the runs and the damage need every entry.
	if (
		args.masked === true ||
		args.runs === true ||
		args.digest === true ||
		(args.json === true && args.markdown !== true)
	)
		return undefined;
	if (args.entry === true || args.turn === true) return (read) => entriesOf(read, args);
	// The head of a Markdown text sums up all entries; a continuation has no head.
	const isSummed = args.markdown === true && args.json !== true && !/@\d+$/.test(word);
	return isSummed || maxChars > MOST_DRAWN_TWICE ? undefined : (read) => entriesWithin(read, args);
}

/** The entries printed up to `--max-chars`, and the tool results behind them, which are shown with their calls. */
async function entriesWithin(read: ReadTarget, args: Arguments): Promise<Iterable<SessionEntry>> {
	const scope = scopeOf(read, args);
	const last = args.markdown
		? (await import("./show-markdown.ts")).lastInMarkdown(read, scope, args)
		: await lastInText(read, scope, args);
	return upTo(last, passagesFrom(read, scope));
}

function* upTo(last: SessionEntry | undefined, passages: Iterable<Passage>): Generator<SessionEntry> {
	for (const { path, from, to } of passages)
		for (let index = from; index < to; index++) {
			yield* path.slice(index, index + 1);
			if (path[index]?.id !== last?.id) continue;
			yield* path.slice(index + 1, behindResults(path, index) + 1);
			return;
		}
}

/** What to show of the session; without an entry, the active path to the leaf of the conversation. */
function scopeOf({ session, entry }: ReadTarget, args: Arguments): PassageScope {
	if (args.all) return { of: "all" };
	const of = args.entry ? "entry" : args.turn ? "turn" : args.branch ? "branch" : undefined;
	const entryId = entry?.id ?? conversationLeaf(session);
	if (entryId === undefined || (of === undefined && entry === undefined)) return { of: "active" };
	return { of: of ?? "from", entryId };
}

/** The entries to show, and the one after each passage, which decides where the passage ends. */
function* entriesOf(read: ReadTarget, args: Arguments): Generator<SessionEntry> {
	for (const { path, from, to } of passagesOf(read.session, scopeOf(read, args))) yield* path.slice(from, to + 1);
}

function noteOtherBranches({ session }: ReadTarget): void {
	const active = passagesOf(session, { of: "active" }).next().value?.path ?? [];
	const otherCount = countVisible(session.entries) - countVisible(active);
	if (otherCount > 0)
		remarkToPerson(`${formatCounted(otherCount, "entry", "entries")} on other branches; --all shows them, too`);
}

function noteDamage({ session, row }: ReadTarget): void {
	const damage = session.diagnostics.filter((one) => isDamaged([one])).length;
	if (damage > 0)
		note(
			`${formatCount(damage)} ${damage === 1 ? "thing is" : "things are"} damaged in it; pi-grove doctor lists all: ${row.path}`,
		);
}

/** Counts entries other than pi-grove's own marks. */
function countVisible(entries: readonly SessionEntry[]): number {
	let count = 0;
	for (const entry of entries) if (!isOwnMark(entry)) count++;
	return count;
}

/** Prints a session as the HTML page that `export` saves, masked in the same way; returns the exit code. */
async function showPage(read: ReadTarget, args: Arguments): Promise<number> {
	const { allowedKinds, noteRemote, printShareNotes, shareOf } = await import("../share/share-target.ts");
	const { sharePieces } = await import("../../../app/world/effects/masked-share.ts");
	const prepared = await shareOf(read, args, allowedKinds(args.allow));
	printShareNotes(prepared, "html");
	noteRemote(read);
	const pieces = await sharePieces(prepared, "html");
	await printPieces(pieces());
	return EXIT.ok;
}

/** Characters to collect before writing. */
const BATCH = 64_000;

/** Prints a session as one object: its facts, and its entries as they are in the file, each on a line with its own facts. */
async function showJson({ session, path, row }: ReadTarget, scope: PassageScope, describe: Describe): Promise<void> {
	const { version, diagnostics, tree } = session;
	// The row has only the damage that the list sees.
	const facts = { ...describe({ ...row, diagnostics }, path), version, leafId: tree.leafId };
	await printJsonText(jsonListStart(facts, "entries"));
	const outline = outlineOf(session);
	let batch: JsonText[] = [];
	let [isFirst, characters] = [true, 0];
	for (const entry of entriesIn(session, scope)) {
		const line = session.lines.get(entry.id);
		const label = tree.labels.get(entry.id)?.text ?? null;
		const item = jsonListItem({ line, active: outline.isActive(entry.id), label, entry }, isFirst);
		batch.push(item);
		[isFirst, characters] = [false, characters + item.length];
		if (characters < BATCH) continue;
		await printJsonText(...batch);
		[batch, characters] = [[], 0];
	}
	await printJsonText(...batch, jsonListEnd());
}

/** All entries in file order, or those of a scope in path order. */
function* entriesIn(session: Session, scope: PassageScope): Generator<SessionEntry> {
	if (scope.of === "all") {
		yield* session.entries;
		return;
	}
	for (const { path, from, to } of passagesOf(session, scope)) yield* path.slice(from, to);
}

type Option = Exclude<keyof Arguments, "words">;

/** The forms in which a session is shown, each named by its option, with the options that apply to it. */
const FORMS: readonly (readonly [form: Option, with_: readonly Option[]])[] = [
	["digest", ["json", "markdown", "maxChars", "width", "masked"]],
	["json", ["all", "branch", "turn", "entry", "masked"]],
	["markdown", ["all", "branch", "turn", "entry", "full", "maxChars", "masked", "json"]],
	["tree", ["all", "width", "masked"]],
	["html", ["all", "allow"]],
	["runs", ["json", "header"]],
	["raw", ["offset"]],
];
const DRAWN: readonly Option[] = ["all", "branch", "turn", "entry", "full", "width", "maxChars", "masked"];
/** Options that apply to one other form only. */
const ELSEWHERE: readonly Option[] = ["allow", "header", "offset"];
/** The options that choose what is shown; they exclude each other. */
const SCOPES: readonly Option[] = ["all", "branch", "turn", "entry"];

/** More than any terminal has: rows with a background are padded to the full width. */
const MOST_COLUMNS = 1000;

/** Which options of `show` contradict each other, as a sentence; undefined if none do. */
export function checkForm(args: Arguments): string | undefined {
	const has = (option: Option): boolean => args[option] !== undefined;
	// --markdown --json is Markdown in a JSON object that says where it was cut.
	const isHow = (form: Option): boolean =>
		(form === "json" && (has("markdown") || has("runs") || has("digest"))) || (form === "markdown" && has("digest"));
	const forms = FORMS.filter(([form]) => has(form) && !isHow(form));
	const [first] = forms;
	const scopes = SCOPES.filter(has);
	const clash = forms.length > 1 ? forms.map(([form]) => form) : scopes.length > 1 ? scopes : undefined;
	if (clash !== undefined) return `show takes one of ${enumerate(clash.map(flag))}`;
	const [form, fitting] = first ?? (["", DRAWN] as const);
	if ((args.width ?? 0) > MOST_COLUMNS) return `--width takes at most ${formatCount(MOST_COLUMNS)} columns`;
	const odd = [...DRAWN, ...ELSEWHERE].find((option) => has(option) && !fitting.includes(option));
	if (form === "markdown" && has("json") && !has("maxChars")) return "--markdown --json needs --max-chars";
	if (form === "digest" && has("maxChars") && !has("markdown"))
		return "--max-chars means nothing with --digest without --markdown";
	if (form === "digest" && has("width") && (has("markdown") || has("json")))
		return `--width means nothing with ${flag(has("json") ? "json" : "markdown")}`;
	if (odd === undefined) return undefined;
	if (form !== "") return `${flag(odd)} means nothing with ${flag(form)}`;
	const [formOfOdd = ""] = FORMS.find(([, options]) => options.includes(odd)) ?? [];
	return `${flag(odd)} is for --${formOfOdd}`;
}

function flag(option: Option): string {
	return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
