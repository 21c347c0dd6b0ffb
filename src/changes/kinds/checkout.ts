import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { findGit } from "../../catalog/git/git-repository.ts";
import type { FilesAt } from "../../edits/files-at.ts";
import { isObject } from "../../shared/json.ts";
import { dirname, isUnder, join, nameFrom } from "../../shared/paths.ts";
import { fileKey, thisSystem } from "../../shared/system.ts";
import { trashSession } from "../../store/actions/trash.ts";
import { isThere } from "../../store/files/paths.ts";
import { readHeld } from "../../store/held/hold-session.ts";
import { type FileToWrite, markOf, NO_FILE } from "../../store/write/files-below.ts";
import { MAKES_REPOSITORY, namesOfRepositories, whyRefused } from "../../store/write/foreign-names.ts";
import { formatCounted, shortenHome } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/width.ts";
import { changedSince, removeDirectory } from "../checkout/made-directory.ts";
import { makeCheckout } from "../checkout/make-directory.ts";
import { gitDirOf } from "../checkout/unfinished.ts";
import { listFailures } from "../reason.ts";
import { holderFor, isEmptyDirectory, movedTo, requireFreePlace } from "./checkout-place.ts";
import { CREATED, dirFor } from "./copy.ts";
import { ALL, type ChangeKind, CLEAR, refuse, type SchemaType, type Subject, type Zod } from "./kind.ts";

/** Makes a directory with the files as they were when an entry of a session was written. */
export interface CheckoutRequest {
	readonly type: "checkout";
	/** Path of the session; "" for one that is not on this machine. */
	readonly path: string;
	readonly title: string;
	readonly entryId: string;
	/** The directory, absolute. */
	readonly into: string;
	/** Where the files were: nothing is made inside of it. */
	readonly root?: string | undefined;
	/** The repository of which it is a worktree, and the commit; undefined for a directory without Git. */
	readonly repository?: string | undefined;
	readonly commit?: string | undefined;
	/** The directory of the session, relative to the new one. */
	readonly inside: string;
	readonly files: readonly FileToWrite[];
	/** Whether the session is branched at the entry into a new one, whose directory it is. */
	readonly branches: boolean;
}

export function checkoutOf(
	{ base, root, inside, files }: FilesAt,
	rest: Omit<CheckoutRequest, "type" | "root" | "repository" | "commit" | "inside" | "files">,
): CheckoutRequest {
	const changes = files.flatMap(({ name, text, isAbsent, isExecutable, isLink }) =>
		text === undefined && !isAbsent ? [] : [{ name, text: text ?? null, isExecutable, isLink }],
	);
	const git = { repository: base?.repository, commit: base?.commit };
	return { type: "checkout", ...rest, ...git, root, inside, files: changes };
}

/** The same files without those that would be refused, which are named. */
export async function withoutRefused(plan: FilesAt, system = thisSystem): Promise<FilesAt> {
	const { root } = plan;
	const changes = plan.files.filter(({ text, isAbsent }) => text !== undefined || isAbsent);
	const names = changes.flatMap(({ name, text }) => (text === undefined ? [] : [name]));
	const reasons = new Map([...namesOfRepositories(names)].map((name) => [name, MAKES_REPOSITORY]));
	for (const { name } of changes) reasons.set(name, whyRefused(name, system) ?? reasons.get(name) ?? "");
	for (const [first = "", ...others] of Map.groupBy(names, (name) => fileKey(name, system)).values())
		for (const name of others) reasons.set(name, `here it is the same file as ${first}`);
	const files = plan.files.map((file) => {
		const reason = reasons.get(file.name) ?? "";
		if (reason === "") return file;
		return { ...file, text: undefined, isAbsent: false, why: `${file.why}; not written: ${reason}` };
	});
	const failures = [...reasons].flatMap(([what, error]) => (error === "" ? [] : [{ what, error }]));
	const directories = [...new Set(names.map((name) => dirname(join(root, name))))];
	const tops = await Promise.all(directories.map(async (directory) => (await findGit(directory))?.top ?? root));
	const repositories = new Set(tops.flatMap((top) => (isUnder(top, root) ? [nameFrom(top, root)] : [])));
	const notes = [
		...(failures.length === 0 ? [] : [`Not written: ${listFailures(failures)}.`]),
		...(repositories.size === 0
			? []
			: [`Repositories in it, of which no worktree is made: ${[...repositories].sort().join(", ")}.`]),
	];
	return { ...plan, files, unread: [...plan.unread, ...notes] };
}

/** Files by name, in the order in which they are noted: a foreign name is no name of a field. Earlier versions noted an object. */
const marksSchema = (z: Zod) =>
	z.preprocess(
		(marks) => (isObject(marks) ? Object.entries(marks) : marks),
		z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
	);

/**
 * The directory will be made in `holder`, and moved to `into`, with `files` (checksums by name); `dir`: where a new session will be, if
 * there will be one.
 */
const planSchema = (z: Zod) =>
	z.object({
		type: z.literal("checkout"),
		path: z.string(),
		entryId: z.string(),
		into: z.string(),
		holder: z.string(),
		repository: z.string().optional(),
		commit: z.string().optional(),
		files: marksSchema(z),
		dir: z.string().optional(),
	});

/**
 * Undo removes the directory; `files`: the checksums of those that were written. `path`: the new session, which goes to the trash, and
 * `size`: of its file in bytes when it was made; "" and 0 if there is none.
 */
const undoSchema = (z: Zod) =>
	z.object({
		type: z.literal("checked-out"),
		path: z.string(),
		size: z.number(),
		into: z.string(),
		repository: z.string().optional(),
		commit: z.string().optional(),
		/** Git's directory of the worktree. */
		gitDir: z.string().optional(),
		files: marksSchema(z),
	});

type Undo = SchemaType<typeof undoSchema>;

export const CHECKOUT: ChangeKind<CheckoutRequest, SchemaType<typeof planSchema>, Undo> = {
	requests: { checkout: true },
	plan: "checkout",
	undo: "checked-out",
	planSchema,
	undoSchema,
	pathOf: ({ path }) => path,
	nameOf: ({ title, into }) => `check out the files of ${quote(title)} into ${shortenHome(into, homedir())}`,
	titleAt: 0,
	actOf: () => undefined,
	async begin({ path, entryId, into, inside, root, repository, commit, files, branches }, { sessionRoots }) {
		await requireFreePlace(into, { root, repository });
		const git = repository === undefined || commit === undefined ? {} : { repository, commit };
		const dir = branches ? { dir: dirFor(join(into, inside), sessionRoots) } : {};
		const marks = files.map(({ name, text }) => [name, text === null ? NO_FILE : markOf(text)] as const);
		return { type: "checkout", path, entryId, into, holder: await holderFor(into), ...git, files: marks, ...dir };
	},
	async make({ path, title, entryId, inside, files }, plan, _, { store, stateDir }) {
		const { into, repository, commit, dir } = plan;
		const { files: marks, unwritten, unfiltered } = await makeCheckout(plan, { files, inside }, stateDir);
		try {
			const session = dir === undefined ? undefined : await branched(path, entryId, dir, join(into, inside), store);
			const { created = "", sayAgain } = session ?? {};
			const size = created === "" ? 0 : (await stat(created)).size;
			const what =
				marks.size === 0
					? commit === undefined
						? "empty"
						: "with all files as the commit has them"
					: `with ${formatCounted(marks.size, "file")} of ${quote(title)} as of then`;
			const failures = [...unwritten].map(([name, error]) => ({ what: name, error }));
			const rest = failures.length === 0 ? "" : `; not written: ${listFailures(failures)}`;
			return {
				text: `Made ${shortenHome(into, homedir())}, ${what}${rest}${unfiltered}`,
				undo: {
					type: "checked-out",
					path: created,
					size,
					...{ into, repository, commit, gitDir: await gitDirOf(into), files: [...marks] },
				},
				unwritten,
				undoing: "removes it",
				sayAgain,
				...(created !== "" && { created }),
			};
		} catch (error) {
			await removeDirectory(plan, stateDir);
			throw error;
		}
	},
	async recover({ path, into, repository, commit, files, dir }, at, { changes }, { store }) {
		const isMade = (await isThere(into)) && !(await isEmptyDirectory(into));
		if (!isMade) return undefined;
		const knownPaths = new Set(changes.flatMap(({ undo }) => undo?.path ?? []));
		const session = dir === undefined ? undefined : await store.run("findCreated", path, dir, at, knownPaths);
		const gitDir = await gitDirOf(into);
		const undo = { path: session?.path ?? "", size: session?.size ?? 0, into, repository, commit, gitDir, files };
		return { undo: { type: "checked-out", ...undo } };
	},
	subjectsOf: ({ path, into }) => subjectsOf(path, into),
	plannedSubjects: ({ into }) => subjectsOf("", into),
	undoActOf: ({ path }) => (path === "" ? undefined : { act: "take", path }),
	async check(undo, ownEntries, tools) {
		const { path, size, into, gitDir } = undo;
		const ofSession = path === "" ? undefined : await CREATED.check({ type: "created", path, size }, ownEntries, tools);
		if (ofSession?.kind === "refuse") return ofSession;
		if (!(await isThere(into))) {
			const place = gitDir === undefined ? undefined : await movedTo(gitDir);
			if (place !== undefined) return refuse(`Git has moved it to ${place}; remove it there (git worktree remove)`);
			return ofSession ?? { kind: "done" };
		}
		const why = await changedSince({ ...undo, files: new Map(undo.files) });
		if (why !== undefined) return refuse(`${why}; remove ${into} yourself if you do not need it`);
		return ofSession?.kind === "ask" ? ofSession : CLEAR;
	},
	async takeBack(undo, { stateDir }) {
		const { into, repository } = undo;
		if (await isThere(into)) await removeDirectory({ into, repository, holder: await holderFor(into) }, stateDir);
		const hasSession = undo.path !== "" && (await isThere(undo.path));
		return hasSession ? { receipt: await trashSession(undo.path) } : {};
	},
	shownAfter: ({ plan }) => plan?.path || undefined,
	async checkAgain({ plan }) {
		if (plan === undefined || plan.path === "") return refuse("its session is not on this machine");
		if (!(await isThere(plan.path))) return refuse("the session is gone");
		return requireFreePlace(plan.into).then(
			() => CLEAR,
			(error: Error) => refuse(error.message),
		);
	},
	async again({ plan, what }, { sessionRoots }) {
		if (plan === undefined) throw new Error("the journal does not say how it was made");
		const sessionDir = sessionRoots.kind === "custom" ? { sessionDir: sessionRoots.dir } : {};
		// Only here: they need all that finds edits.
		const { listAll } = await import("../../catalog/list-all.ts");
		const { filesAtEntry } = await import("../../edits/files-at.ts");
		const rows = await listAll({ ...sessionDir, archived: true });
		const files = await filesAtEntry(await readHeld(plan.path), plan.entryId, { home: homedir(), rows });
		if (files.hasGitFailed) throw new Error(files.baseReason);
		const title = /“(.*?)”/.exec(what)?.[1] ?? "";
		const { path, entryId, into, dir } = plan;
		return checkoutOf(files, { path, title, entryId, into, branches: dir !== undefined });
	},
	deedOf: ({ undo, plan }, home) => {
		const into = plan?.into ?? undo?.into;
		return ["check out", into === undefined ? "its files" : `its files into ${shortenHome(into, home)}`];
	},
};

/** Changes of the new session depend on it. */
function subjectsOf(path: string, into: string): readonly Subject[] {
	const directory = { path: "", part: `directory ${into}` };
	return path === "" ? [directory] : [directory, { path, part: ALL }];
}

/** Branches the session, for the new directory; where pi says a prompt again, it goes on before it, and the prompt's text is returned. */
async function branched(
	path: string,
	entryId: string,
	dir: string,
	cwd: string,
	store: Parameters<typeof CREATED.check>[2]["store"],
): Promise<{ readonly created: string; readonly sayAgain: string | undefined }> {
	const created = await store.run("branchSession", path, entryId, dir, cwd);
	const { text } = await store.run("resumePoint", created, entryId);
	return { created, sayAgain: text };
}
