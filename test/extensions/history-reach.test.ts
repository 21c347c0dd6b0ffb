import { expect, test } from "vitest";
import { allowOthers, beyondProject } from "../../extensions/history-request.ts";

type Context = Parameters<typeof allowOthers>[0];

/** A pi in which the person gives these answers, by index (without one: esc), and the questions that were asked. */
function pi(mode: Context["mode"], session: string, ...answers: number[]) {
	const asked: string[] = [];
	const select = async (title: string, options: string[]) => {
		asked.push(title);
		return options[answers.shift() ?? -1];
	};
	const ctx = { mode, ui: { select }, sessionManager: { getSessionId: () => session } } as unknown as Context;
	return { ctx, asked };
}

test("the setting decides without a question", async () => {
	const { ctx, asked } = pi("tui", "s1", 1);
	await allowOthers(ctx, undefined, "all");
	await expect(allowOthers(ctx, undefined, "project")).rejects.toThrow("the person has set PI_GROVE_HISTORY=project.");
	await expect(allowOthers(ctx, undefined, "yes")).rejects.toThrow("set to something other than project, ask or all.");
	expect(asked).toEqual([]);
});

test("without a setting the person is asked, no first; a yes holds for the session", async () => {
	const { ctx, asked } = pi("tui", "s2", 0, 1);
	await expect(allowOthers(ctx, undefined, "")).rejects.toThrow("the person did not allow others.");
	await allowOthers(ctx, undefined, "ask");
	await allowOthers(ctx, undefined, "ask");
	expect(asked).toHaveLength(2);
	await expect(allowOthers(pi("tui", "s3").ctx, undefined, "ask")).rejects.toThrow("did not allow");
});

test("if there is no one to ask, it is refused", async () => {
	const { ctx, asked } = pi("print", "s4", 1);
	await expect(allowOthers(ctx, undefined, "ask")).rejects.toThrow("there is no one to ask.");
	expect(asked).toEqual([]);
});

test("a place and a file outside are asked about by name, and a yes holds for that alone", async () => {
	const { ctx, asked } = pi("tui", "s5", 1, 1, 0, 1);
	await allowOthers(ctx, beyondProject("0a1b2c3d#00010001@8000"), "");
	await allowOthers(ctx, beyondProject("mini:0a1b2c3d"), "");
	await allowOthers(ctx, beyondProject("mini:4e5f#0001"), "");
	await expect(allowOthers(ctx, beyondProject("old:/home/ada/a.jsonl"), "")).rejects.toThrow("did not allow");
	await allowOthers(ctx, beyondProject("/net/host/a.jsonl#0001"), "");
	expect(asked.map((question) => question.split("?")[0])).toEqual([
		"May the agent read sessions of other projects",
		'May the agent read sessions in the place "mini", which may connect to another machine',
		'May the agent read sessions in the place "old", which may connect to another machine',
		"May the agent read the file /net/host/a.jsonl",
	]);
	await expect(allowOthers(pi("print", "s5").ctx, beyondProject("new:1"), "")).rejects.toThrow(
		"there is no one to ask.",
	);
});
