import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionManager as OurManager, parseSessionEntries, readSessionInfo } from "../../src/index.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";
import { PI_VERSION, SessionManager as PiManager, parseSessionEntries as piParse } from "./pi.ts";

/** Where the two differ on purpose: each test shows what pi does, and what we do (docs/format.md, last table). */

/** Some of it newer versions of pi have mended. */
const isOld = PI_VERSION === "0.87.1";

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

test("an append that fails: the memory of pi before 1.5 has an entry that the file lacks, ours does not", () => {
	const refused = (manager: PiManager | OurManager, path: string) => {
		const leaf = manager.getLeafId();
		rmSync(path);
		mkdirSync(path);
		expect(() => manager.appendSessionInfo("n")).toThrow();
		return manager.getLeafId() === leaf && manager.getSessionName() === undefined;
	};
	const [theirs, ours] = [copy("linear-v3"), copy("linear-v3")];
	expect(refused(PiManager.open(theirs), theirs)).toBe(!isOld);
	expect(refused(OurManager.open(ours), ours)).toBe(true);
});

test("a session without an answer: pi before 0.99 loses it, newer ones and we write it", () => {
	const message = { role: "user", content: "hello", timestamp: 1 } as const;
	const theirs = PiManager.create("/home/ada", join(root, "pi-new"));
	theirs.appendMessage(message);
	expect(existsSync(theirs.getSessionFile() ?? "")).toBe(!isOld);
	const ours = OurManager.create("/home/ada", join(root, "our-new"));
	ours.appendMessage(message);
	expect(existsSync(ours.getSessionFile() ?? "")).toBe(true);
});

test("lines that are no objects: pi's parser returns them, ours leaves them out", () => {
	const text = '{"type":"session","id":"x"}\n5\nnull\n"text"\n[]\n{"type":"label"}\n';
	expect(piParse(text)).toHaveLength(6);
	expect(parseSessionEntries(text)).toHaveLength(2);
});

test("another file that is no session: pi's manager is then of that file, ours stays with the one it had", () => {
	const wrong = copy("not-a-session");
	const [theirs, ours] = [PiManager.open(copy("linear-v3")), OurManager.open(copy("linear-v3"))];
	const path = ours.getSessionFile();
	expect(() => theirs.setSessionFile(wrong)).toThrow();
	expect(theirs.getSessionFile()).toBe(wrong);
	expect(() => ours.setSessionFile(wrong)).toThrow();
	expect(ours.getSessionFile()).toBe(path);
});

test("half a line that a full disk left: pi's next entry is lost with it, ours is not", () => {
	const half = '{"type":"session_info","id":"';
	const lost = (manager: PiManager | OurManager, path: string, reopened: () => PiManager | OurManager) => {
		writeFileSync(path, half, { flag: "a" });
		manager.appendSessionInfo("next");
		return reopened().getSessionName() === undefined;
	};
	const [theirs, ours] = [copy("linear-v3"), copy("linear-v3")];
	expect(lost(PiManager.open(theirs), theirs, () => PiManager.open(theirs))).toBe(true);
	expect(lost(OurManager.open(ours), ours, () => OurManager.open(ours))).toBe(false);
});

test("a dangling link beside the latest session: pi begins a new one, we continue", () => {
	const dir = mkdtempSync(join(root, "recent-"));
	const path = join(dir, "recent.jsonl");
	copyFileSync(join(fixtures, "linear-v3.jsonl"), path);
	symlinkSync(join(dir, "gone"), join(dir, "link.jsonl"));
	const { cwd } = OurManager.open(path).getHeader() ?? { cwd: "" };
	expect(PiManager.continueRecent(cwd, dir).getSessionFile()).not.toBe(path);
	expect(OurManager.continueRecent(cwd, dir).getSessionFile()).toBe(path);
});
