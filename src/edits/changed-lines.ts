import type { Digest } from "../conversation/digest/digest.ts";
import type { LineChange } from "../conversation/entries/change-spans.ts";
import { sumSteps } from "../conversation/glance/session-sum.ts";
import { TimeSlice } from "../shared/steps.ts";
import { fileKey } from "../shared/system.ts";
import { toolPath } from "../store/format/tool-change.ts";
import type { Session } from "../store/read/read-session.ts";
import type { LedgerOptions } from "./open-ledger.ts";
import { patchCounts, patchOf, patchRoot } from "./patch.ts";
import { sessionChanges, withoutTexts } from "./session-changes.ts";

/**
 * The lines that a session added and removed in each file on the path to an entry, as `diff` counts them; by the key of the absolute path that it
 * had when it was last edited.
 */
export async function lineCounts(
	session: Session,
	to: string,
	options: LedgerOptions,
): Promise<ReadonlyMap<string, LineChange>> {
	const root = await patchRoot(session, options.isRemote === true);
	const counts = new Map<string, LineChange>();
	await sessionChanges(
		session,
		{ to },
		{
			...options,
			async onFile(file) {
				counts.set(fileKey(file.edits.at(-1)?.path ?? file.path), patchCounts(patchOf(file, root)));
				return withoutTexts(file);
			},
		},
	);
	return counts;
}

/** The digest of a session with the lines that it changed: the ledger knows them, and takes longer than the rest. */
export async function digestWithLines(session: Session, options: LedgerOptions): Promise<Digest> {
	const { home, slice = new TimeSlice() } = options;
	const digest = (await slice.run(sumSteps(session, home))).digest();
	if (digest.changed.length === 0) return digest;
	const lines = await lineCounts(session, session.tree.leafId ?? "", options);
	const cwd = session.header?.cwd ?? "";
	const changed = digest.changed.map((file) => ({
		...file,
		...lines.get(fileKey(toolPath(file.path, cwd, home) ?? "")),
	}));
	return { ...digest, changed };
}
