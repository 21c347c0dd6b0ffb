import { expect, test } from "vitest";
import { checkDirectories } from "../../../src/app/world/effects/directories.ts";
import { createDiskRead, NoAnswer } from "../../../src/store/files/disk-read.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** Disks by the first folder; those named "silent…" only answer when the test lets them. */
function disks() {
	const held: (() => void)[] = [];
	let open = 0;
	let most = 0;
	const look = createDiskRead({ waitMs: 30, diskOf: (path) => `/${path.split("/")[1]}` });
	const ask = (path: string) =>
		look(path, async () => {
			open += 1;
			most = Math.max(most, open);
			if (path.startsWith("/silent")) await new Promise<void>((answer) => held.push(answer));
			open -= 1;
			return path;
		});
	return { ask, held, most: () => most };
}

test("a disk that does not answer delays nothing, and is not read again until it does", async () => {
	const { ask, held } = disks();
	await expect(ask("/silent/a")).rejects.toThrow(NoAnswer);
	let refusal = "";
	ask("/silent/b").catch((error: Error) => {
		refusal = error.message;
	});
	await new Promise((turn) => setImmediate(turn));
	expect(refusal).toBe("its disk does not answer");
	expect(held.length).toBe(1);
	// Other disks are read meanwhile.
	expect(await Promise.all(["/home/a", "/home/b", "/home/c"].map(ask))).toEqual(["/home/a", "/home/b", "/home/c"]);
	held[0]?.();
	await new Promise((turn) => setImmediate(turn));
	const again = ask("/silent/b");
	await new Promise((turn) => setImmediate(turn));
	held[1]?.();
	expect(await again).toBe("/silent/b");
});

test("at most two reads are pending, even if both stay so", async () => {
	const { ask, most } = disks();
	const paths = ["/home/a", "/silent1/a", "/home/b", "/silent2/a", "/home/c", "/silent1/b", "/home/d"];
	const answers = await Promise.allSettled(paths.map(ask));
	expect(most()).toBe(2);
	expect(answers.map(({ status }) => status).filter((status) => status === "rejected").length).toBeGreaterThanOrEqual(
		3,
	);
	// All threads that it may use are in use.
	await expect(ask("/home/e")).rejects.toThrow(NoAnswer);
});

test("what cannot be read is not missing", async () => {
	const folder = tempDir();
	const look = createDiskRead();
	const fates = await checkDirectories(
		[folder, `${folder}/no`, `${folder}/no/more`, "/a\0b", `/${"x".repeat(300)}`],
		look,
	);
	expect([...fates.values()].map(({ kind }) => kind)).toEqual(["there", "gone", "gone", "unknown", "unknown"]);
	const never = await checkDirectories(["/x"], (_, work) =>
		work().then(
			() => Promise.reject(new NoAnswer()),
			() => Promise.reject(new NoAnswer()),
		),
	);
	expect(never.get("/x")).toEqual({ kind: "unknown", why: "its disk does not answer" });
});
