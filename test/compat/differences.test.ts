import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionManager as OurManager, readSessionInfo } from "../../src/index.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";
import { SessionManager as PiManager } from "./pi.ts";

/** Where the two differ on purpose: each test shows what pi 0.87.1 does, and what we do (docs/format.md, last table). */

const fixtures = join(import.meta.dirname, "../../fixtures");
const root = tempDirOfFile();

let counter = 0;
function copy(name: string): string {
	counter += 1;
	const path = join(root, `${counter}.jsonl`);
	copyFileSync(join(fixtures, `${name}.jsonl`), path);
	return path;
}

const changed = (path: string, action: () => unknown): boolean => {
	const before = readFileSync(path, "utf8");
	action();
	return readFileSync(path, "utf8") !== before;
};

test.each(["v1", "v2", "no-final-newline", "torn-tail", "empty"])("opening %s: pi writes, we do not", (name) => {
	const theirs = copy(name);
	expect(changed(theirs, () => PiManager.open(theirs))).toBe(true);
	const ours = copy(name);
	expect(changed(ours, () => OurManager.open(ours))).toBe(false);
});

test("migrating a file with bad lines: pi drops them, we keep them", () => {
	const text = (path: string) => readFileSync(path, "utf8");
	const prepare = () => {
		const path = copy("v2");
		writeFileSync(path, `${text(path)}not json\n`);
		return path;
	};
	const theirs = prepare();
	PiManager.open(theirs).appendSessionInfo("n");
	expect(text(theirs)).not.toContain("not json");
	const ours = prepare();
	OurManager.open(ours).appendSessionInfo("n");
	expect(text(ours)).toContain("\nnot json\n");
});

test("forking a version 1 session: pi's copy loses its tree, ours does not", () => {
	const theirs = PiManager.forkFrom(copy("v1"), "/home/ada", join(root, "pi-forks"));
	expect(theirs.buildSessionContext().messages).toHaveLength(1);
	const ours = OurManager.forkFrom(copy("v1"), "/home/ada", join(root, "our-forks"));
	expect(ours.buildSessionContext().messages).toHaveLength(3);
	expect(PiManager.open(ours.getSessionFile() ?? "").buildSessionContext().messages).toHaveLength(3);
});

test("forking what pi has forked that way: ours reads it whole", () => {
	expect(PiManager.open(copy("forked-v1")).buildSessionContext().messages).toHaveLength(0);
	expect(OurManager.open(copy("forked-v1")).buildSessionContext().messages).toHaveLength(2);
});

test("copying numbers that JavaScript cannot represent: pi rounds them, we copy the text", () => {
	const exact = '"n":12345678901234567890';
	const prepare = () => {
		const path = copy("linear-v3");
		writeFileSync(path, readFileSync(path, "utf8").replace('"content":"Fix it."', `${exact},"content":"Fix it."`));
		return path;
	};
	const copied = (manager: { getSessionFile(): string | undefined }) =>
		readFileSync(manager.getSessionFile() ?? "", "utf8").includes(exact);
	expect(copied(PiManager.forkFrom(prepare(), "/home/ada", join(root, "pi-forks")))).toBe(false);
	expect(copied(OurManager.forkFrom(prepare(), "/home/ada", join(root, "our-forks")))).toBe(true);
	const branched = OurManager.open(prepare());
	branched.createBranchedSession("a1000004");
	expect(copied(branched)).toBe(true);
});

test("a parent cycle: pi shows nothing of it, we show all", () => {
	expect(PiManager.open(copy("parent-cycle")).getTree()).toHaveLength(1);
	expect(OurManager.open(copy("parent-cycle")).getTree()).toHaveLength(2);
	// pi's getBranch never ends here.
	expect(OurManager.open(copy("parent-cycle")).getBranch("ad000004")).toHaveLength(4);
});

test("a byte order mark: pi refuses the file, we read it", () => {
	expect(() => PiManager.open(copy("bom"))).toThrow();
	expect(OurManager.open(copy("bom")).getEntries()).toHaveLength(1);
});

test("U+2028, `content: null` and a number as name: pi's list loses messages or the session, ours nothing", async () => {
	const dir = mkdtempSync(join(root, "list-"));
	for (const name of ["unicode-separators", "odd-fields"]) {
		copyFileSync(join(fixtures, `${name}.jsonl`), join(dir, `${name}.jsonl`));
	}
	const counts = (rows: { path: string; messageCount: number }[]) =>
		Object.fromEntries(rows.map(({ path, messageCount }) => [path.slice(dir.length + 1, -6), messageCount]));
	expect(counts(await PiManager.listAll(dir))).toEqual({ "unicode-separators": 1 });
	expect(counts(await OurManager.listAll(dir))).toEqual({ "unicode-separators": 2, "odd-fields": 6 });
	expect((await readSessionInfo(join(dir, "odd-fields.jsonl"))).diagnostics.length).toBeGreaterThan(0);
});

test("a file that was deleted meanwhile: pi creates one without a header, we report an error", () => {
	const theirs = copy("linear-v3");
	const piManager = PiManager.open(theirs);
	rmSync(theirs);
	piManager.appendSessionInfo("n");
	expect(JSON.parse(readFileSync(theirs, "utf8")).type).toBe("session_info");
	const ours = copy("linear-v3");
	const ourManager = OurManager.open(ours);
	rmSync(ours);
	expect(() => ourManager.appendSessionInfo("n")).toThrow(/it does not exist/);
	expect(existsSync(ours)).toBe(false);
});

test("an append that fails: pi's memory has an entry that the file lacks, ours does not", () => {
	const refused = (manager: PiManager | OurManager, path: string) => {
		const leaf = manager.getLeafId();
		rmSync(path);
		mkdirSync(path);
		expect(() => manager.appendSessionInfo("n")).toThrow();
		return manager.getLeafId() === leaf && manager.getSessionName() === undefined;
	};
	const [theirs, ours] = [copy("linear-v3"), copy("linear-v3")];
	expect(refused(PiManager.open(theirs), theirs)).toBe(false);
	expect(refused(OurManager.open(ours), ours)).toBe(true);
});

test("a session without an answer: pi 0.87.1 loses it, pi since 0.99 and we write it", () => {
	const message = { role: "user", content: "hello", timestamp: 1 } as const;
	const theirs = PiManager.create("/home/ada", join(root, "pi-new"));
	theirs.appendMessage(message);
	expect(existsSync(theirs.getSessionFile() ?? "")).toBe(false);
	const ours = OurManager.create("/home/ada", join(root, "our-new"));
	ours.appendMessage(message);
	expect(existsSync(ours.getSessionFile() ?? "")).toBe(true);
});
