import type { SessionRow } from "../../catalog/model/row.ts";
import type { SessionsPlace } from "../../catalog/places/place.ts";
import { scanFile } from "../../catalog/scan/scan-file.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { findWhole, placedIn, withoutEntry } from "../find/find-target.ts";
import type { PlacedTarget } from "../find/placed-target.ts";
import { describeSessions } from "../find/session-json.ts";
import { jsonText } from "../print/json.ts";
import { EXIT, printJsonText, printPath } from "../print/output.ts";

export async function path(args: Arguments): Promise<number> {
	const [word = ""] = args.words;
	const placed = await placedIn(word);
	if (placed !== undefined) return pathThere(word, placed, args);
	const target = await findWhole(word, args);
	if (args.json) await printSession(scanFile(target.path).row, args);
	else await printPath(target.path);
	return EXIT.ok;
}

async function pathThere(word: string, placed: PlacedTarget, args: Arguments): Promise<number> {
	const target = withoutEntry(word, placed);
	const { withPlaces } = await import("../find/open-places.ts");
	const { findInPlace } = await import("../find/placed-target.ts");
	const row = await withPlaces([placed.place], async (open) => findInPlace(target, open));
	if (args.json) await printSession(row, args);
	else await printPath(forOthers(row, placed.place));
	return EXIT.ok;
}

/** The path for another program: a file of this machine by its own, one of another machine as scp takes it. */
function forOthers({ path: placed }: SessionRow, place: SessionsPlace): string {
	const there = placed.slice(place.name.length + 1);
	return place.kind === "dir" ? there : `${place.host}:${there}`;
}

async function printSession(row: SessionRow, args: Arguments): Promise<void> {
	await printJsonText(jsonText((await describeSessions([row], args))(row)));
}
