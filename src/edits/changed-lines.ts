import type { Digest } from "../conversation/digest/digest.ts";
import type { LineChange } from "../conversation/entries/change-spans.ts";
import { placeOf, shortPath } from "../conversation/entries/place.ts";
import { sumSteps } from "../conversation/glance/session-sum.ts";
import { TimeSlice } from "../shared/steps.ts";
import type { Session } from "../store/read/read-session.ts";
import type { LedgerOptions } from "./open-ledger.ts";
import { patchCounts, patchOf, patchRoot } from "./patch.ts";
import { type ChangedFile, sessionChanges, withoutTexts } from "./session-changes.ts";

/** The files that a session changed on the path to an entry, without their texts, with the lines of `diff`. */
export async function countedChanges(
	session: Session,
	to: string,
	options: LedgerOptions,
): Promise<readonly (ChangedFile & LineChange)[]> {
	const root = await patchRoot(session, options.isRemote === true);
	const counts = new Map<ChangedFile, LineChange>();
	const onFile = async (file: ChangedFile): Promise<ChangedFile> => {
		const lean = withoutTexts(file);
		counts.set(lean, patchCounts(patchOf(file, root)));
		return lean;
	};
	const { files } = await sessionChanges(session, { to }, { ...options, onFile });
	return files.map((file) => ({ ...file, ...(counts.get(file) ?? { added: 0, removed: 0 }) }));
}

/**
 * The digest of a session with the files of `diff`, also those that commands moved or removed: the ledger knows them, and takes longer than the
 * rest.
 */
export async function digestWithLines(session: Session, options: LedgerOptions): Promise<Digest> {
	const { home, slice = new TimeSlice() } = options;
	const digest = (await slice.run(sumSteps(session, home))).digest();
	const place = placeOf(session, home);
	const files = (await countedChanges(session, session.tree.leafId ?? "", options)).map((file) => {
		const { path, edits, added, removed } = file;
		return { path: shortPath(path, place), entryId: edits.at(-1)?.entryId ?? "", isActive: true, added, removed };
	});
	const paths = new Set(files.map(({ path }) => path));
	const leftFiles = digest.changed.filter(({ path, isActive }) => !isActive && !paths.has(path));
	return { ...digest, changed: [...files, ...leftFiles] };
}
