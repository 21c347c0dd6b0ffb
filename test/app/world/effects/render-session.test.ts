import { expect, test } from "vitest";
import { renderSession } from "../../../../src/app/world/effects/render-session.ts";
import { assistant, label, sessionOf, user } from "../../../support/session-builder.ts";

test("the text of all branches says where each one begins, and leaves out those that only keep books", async () => {
	const session = await sessionOf(
		user("ask", null, 1, "Why does it fail?"),
		assistant("left", "ask", 2, "Because of the cache."),
		label("mark", "ask", 3, "ask", "start"),
		assistant("end", "ask", 4, "Because of the clock."),
	);
	const text = await renderSession(session, { format: "text", all: true, width: 60 });
	expect(text.match(/^⊞.*$/gm)).toEqual([expect.stringContaining("continues from ask")]);
	expect(text.indexOf("clock")).toBeLessThan(text.indexOf("⊞"));
	expect(text.indexOf("cache")).toBeGreaterThan(text.indexOf("⊞"));
	expect(await renderSession(session, { format: "text" })).not.toContain("⊞");
});
