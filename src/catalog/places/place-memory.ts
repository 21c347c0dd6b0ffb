import { createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { openFileAsync } from "../../store/files/open-file.ts";
import { readLines } from "./line-channel.ts";
import { listLines } from "./list-lines.ts";
import { PlaceSessions } from "./listed-sessions.ts";
import type { Place } from "./place.ts";
import { MAX_LINE_BYTES, parseAnswer } from "./protocol.ts";
import { countsToWire, rowToWire, TIME } from "./wire.ts";

/*
 * What a place has listed is kept in a file, so that its rows are there before it answers the next time, and only those that have
 * changed since are sent. The file is a recorded answer: a line about it, then the lines of the protocol, to the one that ends it. Half
 * of it would be worse than nothing, since the other half would never be sent again.
 */

/** The first line of a file. */
const HEAD = z.object({
	/** Version of the file. */
	kept: z.literal(1),
	/** The place as it was then: one of the same name may be another machine now. */
	place: z.string(),
	/** Home directory there. */
	home: z.string(),
	/** For `since`. */
	stamp: z.string(),
	/** When the place had answered, by our clock, Unix ms. */
	listedMs: TIME,
});

/** What is kept of a place besides its sessions. */
type KeptPlace = Pick<z.infer<typeof HEAD>, "home" | "stamp" | "listedMs">;

/** What a place has listed in an earlier run. */
export interface KeptSessions extends KeptPlace {
	readonly sessions: PlaceSessions;
}

/** Reads what is kept of a place; undefined if there is nothing, or it is damaged. Never rejects. */
export async function readKept(cacheDir: string, place: Place): Promise<KeptSessions | undefined> {
	const sessions = new PlaceSessions(place.name);
	const file = await openFileAsync(keptPath(cacheDir, place.name), "read the file").catch(() => undefined);
	if (file === undefined) return undefined;
	const read = Promise.withResolvers<boolean>();
	let head: z.infer<typeof HEAD> | undefined;
	let [isDamaged, hasEnded] = [false, false];
	const stream = file.handle.createReadStream();
	const take = (line: string): void => {
		if (isDamaged) return;
		try {
			if (head === undefined) head = HEAD.parse(JSON.parse(line));
			else {
				const answer = parseAnswer(line);
				if (answer === undefined || hasEnded) throw new Error("a line is not of the file");
				sessions.apply(answer);
				hasEnded = answer.type === "end";
				if (hasEnded && !sessions.isWhole) throw new Error("a row is damaged");
			}
		} catch {
			isDamaged = true;
			stream.destroy();
		}
	};
	readLines(stream, MAX_LINE_BYTES, { onLine: take, onTooLong: () => read.resolve(false) });
	stream.once("error", () => read.resolve(false));
	stream.once("close", () => read.resolve(hasEnded && !isDamaged));
	const isWhole = await read.promise;
	return isWhole && head?.place === placeKey(place) ? { ...head, sessions } : undefined;
}

/** Keeps what a place has listed. Rejects if the file cannot be written; what was kept before is left then. */
export async function keepSessions(cacheDir: string, place: Place, kept: KeptSessions): Promise<void> {
	const path = keptPath(cacheDir, place.name);
	const temporary = `${path}.${process.pid}.tmp`;
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	try {
		// Only this person may read what others may not read there.
		await pipeline(Readable.from(linesOf(place, kept)), createWriteStream(temporary, { mode: 0o600 }));
		await rename(temporary, path);
	} catch (error) {
		await rm(temporary, { force: true });
		throw error;
	}
}

/** Forgets a place that was removed. */
export async function forgetKept(cacheDir: string, name: string): Promise<void> {
	await rm(keptPath(cacheDir, name), { force: true });
}

function* linesOf(place: Place, { home, stamp, listedMs, sessions }: KeptSessions): Generator<string, void> {
	const { rows, counts } = sessions;
	const head: z.infer<typeof HEAD> = { kept: 1, place: placeKey(place), home, stamp, listedMs };
	yield `${JSON.stringify(head)}\n`;
	for (const line of listLines(0, "rows", rows.values().map(rowToWire))) yield `${line}\n`;
	const counted = counts.entries().map(([path, one]) => [path, countsToWire(one)]);
	for (const line of listLines(0, "counts", counted)) yield `${line}\n`;
	yield `${JSON.stringify({ id: 0, type: "end", size: rows.size })}\n`;
}

/** Names of places are safe as names of files (`nameMistake`). */
function keptPath(cacheDir: string, name: string): string {
	return join(cacheDir, "places", `${name}.jsonl`);
}

function placeKey(place: Place): string {
	return place.kind === "dir" ? `dir ${place.path}` : `ssh ${place.host} ${place.command ?? ""}`;
}
