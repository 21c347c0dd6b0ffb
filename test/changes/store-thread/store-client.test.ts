import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createStoreClient, type StoreClient } from "../../../src/changes/store-thread/store-client.ts";
import { workerUrl } from "../../../src/shared/worker-url.ts";
import { StoreError } from "../../../src/store/files/store-error.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { copyOfFixture } from "../../support/fixture.ts";
import { tempDir } from "../../support/temp-dir.ts";

function client(url?: URL): StoreClient {
	const store = createStoreClient(url);
	onTestFinished(() => store.close());
	return store;
}

/** What the promise rejects with. */
async function failure(promise: Promise<unknown>): Promise<unknown> {
	return promise.then(
		() => undefined,
		(error: unknown) => error,
	);
}

test("actions are done one after the other, and each is answered", async () => {
	const path = copyOfFixture("branches");
	const store = client();
	const [first, second, branched] = await Promise.all([
		store.run("renameSession", path, "one"),
		store.run("renameSession", path, "two"),
		store.run("branchSession", path, "c1000004"),
	]);
	expect(second).toMatchObject({ before: "one", leafId: first.entryId });
	expect((await readSession(path)).tree.name).toBe("two");
	expect((await readSession(branched)).header?.parentSession).toBe(path);
});

test("an error comes with its class, code, path, message and reason", async () => {
	const path = copyOfFixture("linear-v3");
	const store = client();
	const error = await failure(store.run("labelEntry", path, "deadbeef", "x"));
	expect(error).toBeInstanceOf(StoreError);
	expect(error).toMatchObject({ name: "StoreError", code: "no-entry", path });
	const reason = "there is no entry deadbeef in the session; the file may have been rewritten since it was read";
	expect(error).toMatchObject({ message: `Cannot find the entry: ${reason}. Path: ${path}`, reason });
	// The thread continues.
	expect(await store.run("renameSession", path, "named")).toMatchObject({ before: "" });
});

test("a thread that dies fails what it was doing, and the next action starts another", async () => {
	const path = copyOfFixture("linear-v3");
	const before = readFileSync(path, "utf8");
	const folder = tempDir();
	const died = join(folder, "died");
	const program = join(folder, "worker.mjs");
	writeFileSync(
		program,
		`import { existsSync, writeFileSync } from "node:fs";
		if (!existsSync(${JSON.stringify(died)})) {
			writeFileSync(${JSON.stringify(died)}, "");
			throw new Error("out of luck");
		}
		await import(${JSON.stringify(workerUrl("store-worker").href)});`,
	);
	const store = client(pathToFileURL(program));
	const error = await failure(store.run("renameSession", path, "named"));
	expect(error).toBeInstanceOf(StoreError);
	expect(error).toMatchObject({
		code: "worker-ended",
		message: `Cannot say what was done: the work was cut short, because its thread died (out of luck); check the session before you try again. Path: ${path}`,
	});
	expect(existsSync(died)).toBe(true);
	expect(readFileSync(path, "utf8")).toBe(before);
	await store.run("renameSession", path, "named");
	expect((await readSession(path)).tree.name).toBe("named");
});

test("closing waits for what was begun; afterwards nothing is taken", async () => {
	const path = copyOfFixture("linear-v3");
	const store = client();
	const renaming = store.run("renameSession", path, "named");
	await store.close();
	expect((await readSession(path)).tree.name).toBe("named");
	await renaming;
	await expect(store.run("renameSession", path, "again")).rejects.toThrow("closed");
});
