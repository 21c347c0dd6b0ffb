import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { run, runIntoClosedPipe } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";
import { header, toolResult, user } from "../support/session-builder.ts";

const sandbox = sandboxOfTest();
let directory: string;
beforeEach(() => {
	directory = join(sandbox.agentDir, "sessions", "--work--");
	mkdirSync(directory, { recursive: true });
});

/** One sound session, one with a bad line, one of two sessions of which one has an orphaned result. */
function three(): { bad: string; two: string } {
	sandbox.write("sound.jsonl", header(), user("a", null, 1, "one"));
	const bad = sandbox.write("bad.jsonl", header({ id: "0198-bb" }), user("a", null, 2, "one"), "{bro\u001b[2Jken");
	const second = [header({ id: "0198-dd" }), user("c", null, 1, "two"), toolResult("d", "c", 2, "out")];
	const two = sandbox.write("two.jsonl", header({ id: "0198-cc" }), user("b", null, 3, "one"), ...second);
	return { bad, two };
}

test("all sessions are examined, what is damaged is told by file and line, and nothing is written", () => {
	const { bad, two } = three();
	const before = [bad, two].map((path) => readFileSync(path, "utf8"));
	const { code, out, err } = run(sandbox, ["doctor"]);
	expect({ code, err }).toEqual({ code: 1, err: "" });
	expect(out).toContain("bad.jsonl  1 entry\n  ! Line 3 is not JSON");
	expect(out).toContain("two.jsonl  3 entries, 2 sessions in one file\n  ! There are 2 sessions in the file");
	expect(out).toContain(
		"  ! Line 5 is a tool result whose call does not precede it; pi cannot continue below it.  orphaned-result",
	);
	expect(out).not.toContain("sound");
	expect(out).not.toContain("\u001b");
	expect([bad, two].map((path) => readFileSync(path, "utf8"))).toEqual(before);
	expect(readdirSync(directory)).toHaveLength(3);
});

test("a session by its id, as JSON; what is sound ends with 0", () => {
	three();
	const one = run(sandbox, ["doctor", "0198-bb", "--json"]);
	expect(one.code).toBe(1);
	expect(JSON.parse(one.out)).toMatchObject([{ id: "0198-bb", entries: 1, findings: [{ code: "bad-line", line: 3 }] }]);
	expect(run(sandbox, ["doctor", "0198-aa"])).toEqual({
		code: 0,
		out: "",
		err: "",
	});
	expect(run(sandbox, ["doctor", "nobody"])).toMatchObject({ code: 2, out: "" });
	expect(run(sandbox, ["doctor", "0198-aa#a1"]).err).toBe(
		"pi-grove: 0198-aa#a1 is an entry; name the session: 0198-aa\n",
	);
	expect(run(sandbox, ["doctor", join(directory, "gone.jsonl")]).err).toContain("it does not exist");
});

test("repaired copies are written beside each other, one for each session, with what was left out; the originals stay", () => {
	const { bad, two } = three();
	const before = [bad, two].map((path) => readFileSync(path, "utf8"));
	const { code, out, err } = run(sandbox, ["doctor", "--repair-to", "copies"]);
	expect({ code, err }).toEqual({
		code: 1,
		err: "",
	});
	expect(out).toContain("left out: Line 3 is not JSON");
	expect(out).toContain("left out: Line 5 is a tool result without its call.");
	const copies = join(sandbox.home, "copies");
	expect(readdirSync(copies)).toHaveLength(3);
	expect([bad, two].map((path) => readFileSync(path, "utf8"))).toEqual(before);
	expect(run(sandbox, ["doctor", "--session-dir", copies])).toMatchObject({ code: 0, out: "" });
});

test.skipIf(process.platform !== "linux")(
	"repaired in place after asking: the damaged files go to the trash as one change, which undo takes back",
	() => {
		three();
		const before = sandbox.fingerprints();
		const asked = run(sandbox, ["doctor", "--repair"]);
		expect(asked.err).toContain("Repair 2 sessions?");
		expect(sandbox.fingerprints()).toEqual(before);
		const { code, err } = run(sandbox, ["doctor", "--repair", "--yes"]);
		expect(code).toBe(0);
		expect(err).toContain("Repaired 2 sessions; the damaged originals are in the trash");
		expect(run(sandbox, ["doctor"])).toMatchObject({ code: 0, out: "" });
		expect(run(sandbox, ["undo", "--yes"]).err).toContain("Undone: repair 2 sessions");
		expect(sandbox.fingerprints()).toEqual(before);
	},
);

test("what cannot be done is said, and ends with 2", async () => {
	const { bad } = three();
	const refused = run(sandbox, ["doctor", "0198-bb", "--repair-to", join(bad, "below")]);
	expect(refused).toMatchObject({ code: 2 });
	expect(refused.err).toContain("Cannot make the directory for the copies");
	expect(run(sandbox, ["list", "--repair-to", "x"])).toMatchObject({ code: 2, out: "" });
	expect(run(sandbox, ["doctor", "--session-dir", "gone"])).toMatchObject({ code: 2, out: "" });
	expect(existsSync(join(sandbox.home, "x"))).toBe(false);
	expect((await runIntoClosedPipe(sandbox, ["doctor"])).err).not.toContain("EPIPE");
});
