import { expect, test } from "vitest";
import { EventBatcher } from "../../../src/catalog/sync/event-batcher.ts";
import { makeRow } from "../../support/rows.ts";

test("a waiting row does not come after its file is gone", () => {
	const types: string[] = [];
	const events = new EventBatcher(({ type }) => types.push(type));
	const row = makeRow("a");
	events.add(row);
	events.gone([row.path]);
	events.flush();
	expect(types).toEqual(["rows", "gone"]);
});
