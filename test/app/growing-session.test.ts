import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startProgram } from "../support/start-program.ts";

const line = (id: string, parentId: string) => {
	const message = { role: "user", content: `said ${id}`, timestamp: Date.now() };
	return `${JSON.stringify({ type: "message", id, parentId, timestamp: new Date().toISOString(), message })}\n`;
};

test("the session under the cursor grows by what is appended, and shows its newest state while it is written without end", async () => {
	const driver = await startProgram();
	await driver.select("Weekly note");
	const before = await driver.until("the tree", ({ detail }) => detail.session !== undefined);
	const session = before.detail.session;
	const path = session?.path ?? "";
	let last = session?.tree.leafId ?? "";
	let count = 0;
	const next = () => `b${String(count++).padStart(7, "0")}`;
	const append = () => {
		const id = next();
		appendFileSync(path, line(id, last));
		last = id;
	};
	append();
	const grown = await driver.until("the new entry", ({ detail }) => detail.session?.tree.leafId === last);
	// Extended, not read again: the entries that were there are the same objects.
	expect(grown.detail.session?.entries[0]).toBe(session?.entries[0]);

	const writing = setInterval(append, 2);
	try {
		for (let seen = 0; seen < 5; seen++) {
			const from = count;
			await driver.until(
				`entry ${from} or a later one`,
				({ detail }) => (detail.session?.tree.leafId ?? "") >= `b${String(from).padStart(7, "0")}`,
			);
		}
	} finally {
		clearInterval(writing);
	}
	await driver.until("the last entry", ({ detail }) => detail.session?.tree.leafId === last);
});
