import { mkdir } from "node:fs/promises";
import { isDirectoryAsync } from "../../../app/world/effects/find-program.ts";
import { type SaveTarget, type ShareFormat, saveShare, sharePieces } from "../../../app/world/effects/masked-share.ts";
import { runsIn } from "../../../catalog/model/session-links.ts";
import { splitPlaced } from "../../../catalog/places/place.ts";
import { plainLine } from "../../../conversation/markdown/plain-text.ts";
import type { PreparedShare } from "../../../conversation/share/prepare-share.ts";
import { measured } from "../../../conversation/share/share-markdown.ts";
import { basename, dirname, extname, join, resolve } from "../../../shared/paths.ts";
import { explain } from "../../../store/files/store-error.ts";
import { fieldsOf, textOf } from "../../../store/format/fields.ts";
import { formatSize } from "../../../ui/text/format.ts";
import { quote } from "../../../ui/text/width.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import { findTarget, placedIn, type ReadTarget, readTarget, type Target } from "../../find/find-target.ts";
import type { OpenPlaces } from "../../find/open-places.ts";
import type { PlacedTarget } from "../../find/placed-target.ts";
import {
	EXIT,
	failWith,
	isMistake,
	Mistake,
	printJsonList,
	printPath,
	printPieces,
	remark,
	withProgressNote,
} from "../../print/output.ts";
import { FamilyPages, pathsBelow } from "./family-pages.ts";
import { type AllowedKinds, allowedKinds, findingsJson, noteRemote, printShareNotes, shareOf } from "./share-target.ts";

/** The value of `--out` that means stdout. */
const STDOUT = "-";

export async function exportSessions(args: Arguments): Promise<number> {
	const allowed = allowedKinds(args.allow);
	// What talks to other machines is loaded for that alone.
	if (!args.words.some((word) => splitPlaced(word))) return save(args, allowed);
	const { withPlaces } = await import("../../find/open-places.ts");
	const targets = await Promise.all(args.words.map(placedIn));
	const named = new Map(targets.flatMap((target) => (target ? [[target.place.name, target.place]] : [])));
	return withPlaces([...named.values()], (places) => save(args, allowed, places));
}

/** Saves them; `places`: stay connected meanwhile. */
async function save(args: Arguments, allowed: AllowedKinds, places?: OpenPlaces): Promise<number> {
	const { out = ".", json = false } = args;
	if (args.html && args.markdown) throw new Mistake("export takes one of --html and --markdown");
	const family = args.runs ? new FamilyPages() : undefined;
	const words = await wordsOf(args, family, places);
	checkOut({ ...args, words });
	const format: ShareFormat = args.html || (!args.markdown && /\.html?$/i.test(out)) ? "html" : "markdown";
	const pages = format === "html" && words.length > 1 ? family : undefined;
	const saving = { allowed, format, isSeveral: words.length > 1, family, pages };
	// All names come first: a page names those that are written after it.
	for (const word of pages === undefined ? [] : words) {
		try {
			const read = await readTarget(word, args, { places });
			const { title } = await shareOf(read, args, allowed, titled(family, read));
			pages?.name(read.path, title, out);
		} catch (error) {
			// It is reported when its turn to be written comes.
			if (!isMistake(error)) throw error;
		}
	}
	const written: object[] = [];
	let code: number = EXIT.ok;
	for (const word of words) {
		try {
			const saved = await saveOne(await readTarget(word, args, { places }), args, saving);
			if (saved === undefined) continue;
			written.push(saved);
			if (!json) await printPath(saved.path);
		} catch (error) {
			code = failWith(error);
		}
	}
	if (json) await printJsonList(written);
	return code;
}

interface SaveSettings {
	readonly allowed: AllowedKinds;
	readonly format: ShareFormat;
	readonly isSeveral: boolean;
	/** The sessions and their runs, with `--runs`. */
	readonly family: FamilyPages | undefined;
	/** The same if their pages name each other. */
	readonly pages: FamilyPages | undefined;
}

/** The title of a run is its agent and its task. */
function titled(family: FamilyPages | undefined, { path }: ReadTarget): { readonly title?: string } {
	const title = family?.titleOf(path);
	return title === undefined ? {} : { title: plainLine(title) };
}

/** Saves a session, and says where it was saved; undefined for stdout. */
async function saveOne(
	read: ReadTarget,
	args: Arguments,
	{ allowed, format, isSeveral, family, pages }: SaveSettings,
): Promise<(object & { readonly path: string }) | undefined> {
	const { out = "." } = args;
	const linked = pages === undefined ? {} : { family: pages.familyOf(read) };
	const prepared = await shareOf(read, args, allowed, { ...titled(family, read), ...linked });
	if (isSeveral) remark(`${quote(prepared.title)}:`);
	printShareNotes(prepared, format);
	noteRemote(read);
	const saved = await write(prepared, format, out, { isSeveral, name: pages?.nameOf(read.path) });
	if (saved === undefined) return undefined;
	remark(`Saved ${quote(prepared.title)} (${formatSize(saved.bytes)})`);
	return { ...shareJson(prepared, read.path, format), ...saved };
}

/** The words that name the sessions, each of which exists; with `--runs` followed by the paths of all runs below them. */
async function wordsOf(
	args: Arguments,
	family: FamilyPages | undefined,
	places: OpenPlaces | undefined,
): Promise<readonly string[]> {
	const { words, runs = false } = args;
	const targets: Target[] = [];
	const placed: PlacedTarget[] = [];
	for (const word of words) {
		const target = (await placedIn(word)) ?? (await findTarget(word, args));
		if ("place" in target) placed.push(target);
		else targets.push(target);
	}
	if (targets.length > 0) await family?.find(targets, args);
	const below = family?.pathsBelow(targets.map(({ path }) => path)) ?? [];
	if (places === undefined || placed.length === 0) return [...words, ...below];
	const { findInPlace } = await import("../../find/placed-target.ts");
	const paths = placed.map((target) => findInPlace(target, places).path);
	const all = [...new Set(placed.map(({ place }) => place.name))].flatMap((name) => places.catalog.rowsOf(name));
	return [...words, ...below, ...(runs ? pathsBelow(paths, runsIn(all)) : [])];
}

function checkOut({ out, words, json }: Pick<Arguments, "out" | "words" | "json">): void {
	if (out !== STDOUT) return;
	if (json) throw new Mistake("--json says where files were written: it does not go with --out -");
	if (words.length > 1) throw new Mistake("only one session can be written to stdout: --out - goes with one SESSION");
}

/** Returns where it was saved; undefined for stdout. */
async function write(
	prepared: PreparedShare,
	format: ShareFormat,
	out: string,
	{ isSeveral, name }: { readonly isSeveral: boolean; readonly name: string | undefined },
) {
	const pieces = await sharePieces(prepared, format);
	const text = measured(pieces);
	const noteLength = (): void => {
		if (format === "markdown" && text.note() !== "") remark(text.note());
	};
	if (out === STDOUT) {
		await printPieces(text.pieces());
		noteLength();
		return undefined;
	}
	let target: SaveTarget | undefined;
	try {
		target = await saveTarget(out, format, isSeveral);
		if (name !== undefined) target = { ...target, name };
		const { title, shared } = prepared;
		const saving = saveShare({ of: "branch", ...shared }, { title, pieces: text.pieces }, target);
		const { path, size } = await withProgressNote(saving, () => `Writing ${quote(title)} …`);
		noteLength();
		return { path, bytes: size };
	} catch (error) {
		throw new Mistake(`cannot write ${target === undefined ? out : targetPath(target)}: ${explain(error)}`);
	}
}

function shareJson(prepared: PreparedShare, path: string, format: ShareFormat): object {
	const { shared, title, survey, groups } = prepared;
	return {
		session: path,
		id: textOf(fieldsOf(shared.session.header).id),
		title,
		format,
		entries: survey.entries,
		leftOut: { branches: survey.leftOutBranches, entries: survey.leftOutEntries },
		pictures: survey.images,
		findings: groups.flatMap(findingsJson),
	};
}

/** Reads the value of `--out`: a file, or a directory, which is created if it ends in a slash or several files go into it. */
async function saveTarget(out: string, format: ShareFormat, isSeveral: boolean): Promise<SaveTarget> {
	const path = resolve(out);
	const ending = format === "html" ? "html" : "md";
	if (await isDirectoryAsync(path)) return { directory: path, ending };
	if (isSeveral || /[/\\]$/.test(out)) {
		await mkdir(path, { recursive: true, mode: 0o700 });
		return { directory: path, ending };
	}
	if (!(await isDirectoryAsync(dirname(path)))) throw new Error(`there is no directory ${dirname(path)}`);
	const extension = extname(path);
	return { directory: dirname(path), name: basename(path, extension), ending: extension.slice(1) || ending };
}

function targetPath({ directory, name, ending }: SaveTarget): string {
	return name === undefined ? directory : join(directory, `${name}.${ending}`);
}
