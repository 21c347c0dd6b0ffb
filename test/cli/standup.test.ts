import { beforeEach, expect, test } from "vitest";
import { run } from "../support/run.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();
beforeEach(() => void threeSessions(sandbox));

test("what was done in all sessions, as Markdown and as JSON", () => {
	const { code, out, err } = run(sandbox, ["standup", "--since", "2000"]);
	expect({ code, err }).toEqual({ code: 0, err: "" });
	expect(out).toMatch(/^# Since 1 Jan 2000\n\n3 sessions · \d+ prompts/);
	expect(out).toContain("Refactor the parser");
	const json: unknown = JSON.parse(run(sandbox, ["standup", "--since", "2000", "--json"]).out);
	expect(json).toHaveLength(3);
	expect(json).toMatchObject([{ prompts: expect.any(Array), sum: { turns: expect.any(Number), files: [] } }, {}, {}]);
});

test("since a day on which nothing was said; and what is no date", () => {
	const { code, out } = run(sandbox, ["standup", "--since", "2999-01-01"]);
	expect(code).toBe(0);
	expect(out).toContain("Nothing was said in any session.");
	const mistake = run(sandbox, ["standup", "--since", "soon"]);
	expect(mistake).toMatchObject({ code: 2, out: "" });
	expect(mistake.err).toContain("option --since needs a date, not soon");
});
