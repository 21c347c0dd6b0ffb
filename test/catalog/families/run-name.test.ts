import { expect, test } from "vitest";
import { runNameOf } from "../../../src/catalog/families/run-name.ts";

const RUN = "01990000-0000-7000-8000-000000000011";

test("the name of a session says whose run it is", () => {
	expect(runNameOf(`subagent-scout-${RUN}-1`)).toEqual({ agent: "scout", runId: RUN, index: 0 });
	expect(runNameOf("subagent-code-reviewer-1a2b3c4d-12")).toEqual({
		agent: "code-reviewer",
		runId: "1a2b3c4d",
		index: 11,
	});
	expect(runNameOf(" writer#8ec55da3 ")).toEqual({ agent: "writer", agentId: "8ec55da3" });
	const others = [
		"Fix bug #12345678",
		"Review the scout",
		`subagent-scout-${RUN}-0`,
		"writer#8EC55DA3",
		"",
		"x".repeat(2000),
	];
	for (const name of others) expect(runNameOf(name)).toBeUndefined();
});
