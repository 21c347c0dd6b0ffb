import { splitPlaced } from "../../catalog/places/place.ts";
import { join } from "../../shared/paths.ts";
import { newSessionId, sessionFileName } from "../../store/format/new-entry.ts";
import { formatCounted, shortenHome } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/width.ts";
import { CREATED, checkBack, dirFor, restoreAgain } from "./copy.ts";
import { type ChangeKind, OF_SESSION, refuse, type SchemaType, type Zod } from "./kind.ts";

/** Makes a session of this machine of one in another place. */
interface BringRequest {
	readonly type: "bring";
	/** Path of a copy of its file, on this machine. */
	readonly path: string;
	/** Where it is, only as text: "mini:/home/ada/….jsonl". */
	readonly from: string;
	/** Its title, since it is not in the list. */
	readonly title: string;
	/** Absolute path of the directory that the new session belongs to. */
	readonly cwd: string;
}

/** There will be a new session at `path` with this id and time in its header, for the project `cwd`. */
const planSchema = (z: Zod) =>
	z.object({
		type: z.literal("bring"),
		path: z.string(),
		id: z.string(),
		timestamp: z.string(),
		cwd: z.string(),
		from: z.string(),
	});

type Plan = SchemaType<typeof planSchema>;

export const BRING: ChangeKind<BringRequest, Plan, SchemaType<typeof CREATED.undoSchema>> = {
	...OF_SESSION,
	...CREATED,
	requests: { bring: true },
	plan: "bring",
	planSchema,
	nameOf: ({ title, from }) => `bring ${quote(title)} here${placeOf(from)}`,
	actOf: () => undefined,
	begin({ cwd, from }, { sessionRoots }) {
		const id = newSessionId();
		const timestamp = new Date().toISOString();
		const path = join(dirFor(cwd, sessionRoots), sessionFileName(timestamp, id));
		return { type: "bring", path, id, timestamp, cwd, from };
	},
	async make({ path: copy, title, from }, plan, _, { store }) {
		const { path } = plan;
		const { size, unusable } = await store.run("bringSession", copy, plan);
		const lost =
			unusable === 0
				? ""
				: `; ${formatCounted(unusable, "damaged line")} ${unusable === 1 ? "was" : "were"} not copied`;
		const text = `Brought ${quote(title)} here${placeOf(from)}${lost}`;
		return { text, undo: { type: "created", path, size }, created: path };
	},
	async recover({ path, id }, at, _, { store }) {
		const size = await store.run("findBrought", path, id, at);
		return size === undefined ? undefined : { undo: { type: "created", path, size } };
	},
	// After the undo it is in the trash.
	shownAfter: () => undefined,
	checkAgain: async ({ undo, receipt }) =>
		(await checkBack(undo.path, receipt)) ??
		refuse("the session that it made is no longer in the trash; bring it here again"),
	async again(change) {
		const restoring = await restoreAgain(change);
		if (restoring === undefined) throw new Error("the session that it made is no longer in the trash");
		return restoring;
	},
	deedOf: ({ plan }, home) => [
		"bring here",
		plan === undefined ? "" : `into ${shortenHome(plan.cwd, home)}${placeOf(plan.from)}`,
	],
};

/** " from mini" */
function placeOf(from: string): string {
	const place = splitPlaced(from)?.place;
	return place === undefined ? "" : ` from ${place}`;
}
