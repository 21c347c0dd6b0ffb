import { expect, test } from "vitest";
import { originalOf } from "../../../src/store/files/conflict-copy.ts";

const NAME = "2026-01-05T09-00-00-000Z_019b8d3c-7a40-7000-8000-000000000001";
const ORIGINAL = `/s/${NAME}.jsonl`;

test.each([
	`${NAME}.sync-conflict-20260105-090000-ABCDEFG.jsonl`,
	`${NAME}.sync-conflict-20260105-090000-ABCDEFG.sync-conflict-20260106-090000-ABCDEFG.jsonl`,
	`${NAME} (Ada's conflicted copy 2026-01-05).jsonl`,
	`${NAME} (conflicted copy 2026-01-05 090000).jsonl`,
	`${NAME}_conflict-20260105-090000.jsonl`,
	`${NAME} (SFConflict ada@example.org 2026-01-05-09-00-00).jsonl`,
	`${NAME}.Conflict.jsonl`,
	`${NAME} (In Konflikt stehende Kopie von Ada 2026-01-05).jsonl`,
	`${NAME} (Copie en conflit de Ada 2026-01-05).jsonl`,
	`${NAME} copy.jsonl`,
	`${NAME} copy 2.jsonl`,
	`${NAME} (copy).jsonl`,
	`${NAME} - Copy.jsonl`,
	`${NAME} - Copy (2).jsonl`,
	`${NAME} (1).jsonl`,
	`${NAME}(2).jsonl`,
])("%s is a copy of the file that is there", (name) => {
	expect(originalOf(`/s/${name}`, (path) => path === ORIGINAL)).toBe(ORIGINAL);
	expect(originalOf(`/s/${name}`, (path) => path === `/s/${name}`)).toBeUndefined();
});

test.each([`${NAME}.jsonl`, "copy.jsonl", "my copycat.jsonl", "plan (draft).jsonl", "conflicts.jsonl", "a-2.jsonl"])(
	"%s is no copy, whatever is there",
	(name) => {
		expect(originalOf(`/s/${name}`, () => true)).toBeUndefined();
	},
);
