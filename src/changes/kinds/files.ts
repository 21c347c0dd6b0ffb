import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { isContentKept, keepContent, keptContent, letGoOfContents, requireRoom } from "../../edits/kept-contents.ts";
import type { FileContent } from "../../edits/put-change.ts";
import { noteReplaced } from "../../edits/replaced-files.ts";
import { join } from "../../shared/paths.ts";
import { markOf, NO_FILE } from "../../store/write/files-below.ts";
import { formatCounted } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/width.ts";
import {
	type FileReplacement,
	type FileReplacements,
	markAt,
	modeAt,
	putBack,
	replaceFiles,
} from "../files/replace-files.ts";
import { listNames } from "../reason.ts";
import { type ChangeKind, CLEAR, type Outlook, refuse, type SchemaType, type Zod } from "./kind.ts";

/** Takes back what a session changed in the files of its directory, or puts it there. */
export interface FilesRequest {
	readonly type: "files";
	/** Path of the session; "" for one that is not on this machine. */
	readonly path: string;
	readonly title: string;
	readonly how: "take back" | "put in place";
	/** The directory that the names begin at, absolute. */
	readonly root: string;
	readonly files: readonly FileToReplace[];
	/** How many hunks of them are meant, if not all of each. */
	readonly hunks?: number;
}

interface FileToReplace {
	readonly name: string;
	/** Undefined: there is no file. Nothing is done if the file is another one by then. */
	readonly from: FileContent | undefined;
	readonly to: FileContent | undefined;
}

const filesSchema = (z: Zod) =>
	z.object({
		path: z.string(),
		how: z.enum(["take back", "put in place"]),
		id: z.string(),
		root: z.string(),
		hunks: z.number().optional(),
		files: z
			.array(
				z
					.object({ name: z.string(), before: z.string(), after: z.string(), modeBefore: z.number().optional() })
					.readonly(),
			)
			.readonly(),
	});
const planSchema = (z: Zod) => filesSchema(z).extend({ type: z.literal("files") });
/** `before` and `after` are those of the change, not of the undo. */
const undoSchema = (z: Zod) => filesSchema(z).extend({ type: z.literal("files-replaced") });

type Plan = SchemaType<typeof planSchema>;
type Undo = SchemaType<typeof undoSchema>;

export const FILES: ChangeKind<FilesRequest, Plan, Undo> = {
	requests: { files: true },
	plan: "files",
	undo: "files-replaced",
	planSchema,
	undoSchema,
	pathOf: ({ path }) => path,
	nameOf: (request) => `${request.how} ${wordsOf(request)}`,
	titleAt: -1,
	actOf: () => undefined,
	async begin({ path, how, root, files, hunks }, { stateDir }) {
		const realRoot = await realpath(root);
		const texts = files.flatMap(({ from, to }) => [from, to].flatMap((content) => content?.text ?? []));
		requireRoom(texts);
		for (const text of texts) await keepContent(stateDir, text);
		const replacements = files.map(({ name, from, to }): FileReplacement => {
			const modeBefore = from && modeAt(join(realRoot, name));
			return { name, before: markOfContent(from), after: markOfContent(to), modeBefore };
		});
		return { type: "files", path, how, id: randomUUID(), root: realRoot, files: replacements, hunks };
	},
	async make(request, plan, _, { stateDir }) {
		await replaceFiles(plan, stateDir);
		await letGoOfContents(stateDir);
		const text = `${request.how === "take back" ? "Took back" : "Put in place"} ${wordsOf(request)}`;
		return { text, undo: { ...plan, type: "files-replaced" }, undoing: "brings the files back" };
	},
	async recover(plan, _at, _since, { stateDir }) {
		if (plan.files.every(({ name, after }) => markAt(join(plan.root, name)) === after)) {
			noteReplaced(stateDir, plan);
			return { undo: { ...plan, type: "files-replaced" } };
		}
		await putBack(plan, stateDir);
		return undefined;
	},
	subjectsOf,
	plannedSubjects: subjectsOf,
	undoActOf: () => undefined,
	check: (undo, _, { stateDir }) => outlookOf(undo, stateDir),
	async takeBack(undo, { stateDir }) {
		await replaceFiles(turned(undo), stateDir);
		return {};
	},
	shownAfter: ({ plan }) => plan?.path || undefined,
	checkAgain: async ({ undo }) => {
		const changedFiles = undo.files.filter(({ name, before }) => markAt(join(undo.root, name)) !== before);
		return changedFiles.length === 0 ? CLEAR : refuse(changedWords(changedFiles));
	},
	async again({ undo, what }, { stateDir }) {
		const contentOf = async (mark: string): Promise<FileContent | undefined> =>
			mark === NO_FILE ? undefined : { text: await keptContent(stateDir, mark), isExecutable: mark.startsWith("x") };
		const files: FileToReplace[] = [];
		for (const { name, before, after } of undo.files)
			files.push({ name, from: await contentOf(before), to: await contentOf(after) });
		const { path, how, root, hunks } = undo;
		return { type: "files", path, title: /“(.*)”/s.exec(what)?.[1] ?? "", how, root, files, hunks };
	},
};

/** "3 files of “Fix it”", "2 hunks in 1 file of “Fix it”" */
function wordsOf({ title, files, hunks }: FilesRequest): string {
	const part = hunks === undefined ? "" : `${formatCounted(hunks, "hunk")} in `;
	return `${part}${formatCounted(files.length, "file")} of ${quote(title)}`;
}

function markOfContent(content: FileContent | undefined): string {
	return content === undefined ? NO_FILE : markOf(content.text, content.isExecutable ? 0o111 : 0);
}

/** What undo does. */
function turned(undo: Undo): FileReplacements {
	const files = undo.files.map(({ name, before, after, modeBefore }) => {
		return { name, before: after, after: before, modeAfter: modeBefore };
	});
	return { id: randomUUID(), root: undo.root, files };
}

async function outlookOf({ root, files }: Undo, stateDir: string): Promise<Outlook> {
	if (!existsSync(root)) return refuse(`${root} is gone`);
	const changedFiles = files.filter(({ name, after }) => markAt(join(root, name)) !== after);
	if (changedFiles.length > 0) return refuse(changedWords(changedFiles));
	for (const { name, before } of files)
		if (before !== NO_FILE && !(await isContentKept(stateDir, before)))
			return refuse(`what was in ${name} is no longer kept`);
	return CLEAR;
}

function changedWords(files: readonly FileReplacement[]): string {
	const names = files.map(({ name }) => name);
	return `${formatCounted(names.length, "file")} ${names.length === 1 ? "has" : "have"} been changed since: ${listNames(names, 3)}`;
}

/** Later changes of the same files depend on it. */
function subjectsOf({ root, files }: Plan | Undo): readonly { readonly path: string; readonly part: string }[] {
	return files.map(({ name }) => ({ path: "", part: `file ${join(root, name)}` }));
}
