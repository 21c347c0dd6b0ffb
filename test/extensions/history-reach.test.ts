import { expect, test } from "vitest";
import { allowOtherProjects } from "../../extensions/history-request.ts";

type Context = Parameters<typeof allowOtherProjects>[0];

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
	await allowOtherProjects(ctx, "all");
	await expect(allowOtherProjects(ctx, "project")).rejects.toThrow("the person has set PI_GROVE_HISTORY=project.");
	await expect(allowOtherProjects(ctx, "yes")).rejects.toThrow("set to something other than project, ask or all.");
	expect(asked).toEqual([]);
});

test("without a setting the person is asked, no first; a yes holds for the session", async () => {
	const { ctx, asked } = pi("tui", "s2", 0, 1);
	await expect(allowOtherProjects(ctx, "")).rejects.toThrow("the person did not allow others.");
	await allowOtherProjects(ctx, "ask");
	await allowOtherProjects(ctx, "ask");
	expect(asked).toHaveLength(2);
	await expect(allowOtherProjects(pi("tui", "s3").ctx, "ask")).rejects.toThrow("did not allow");
});

test("if there is no one to ask, it is refused", async () => {
	const { ctx, asked } = pi("print", "s4", 1);
	await expect(allowOtherProjects(ctx, "ask")).rejects.toThrow("there is no one to ask.");
	expect(asked).toEqual([]);
});
