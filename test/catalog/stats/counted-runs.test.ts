import { utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { joinReports } from "../../../src/catalog/families/join-reports.ts";
import { reportsIn } from "../../../src/catalog/families/reports-in.ts";
import { isSessionPath } from "../../../src/catalog/model/run-place.ts";
import type { RawEntry } from "../../../src/store/format/raw-entry.ts";
import { openCounting } from "../../support/counting.ts";
import { FAMILY_ROOTS, familyFiles, familyNames } from "../../support/family.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

test.each(familyNames)(
	"the runs of the family %s are counted as their session tells them, however it has grown",
	async (name) => {
		const { root, cache, write } = tempAgentDir();
		const counting = await openCounting(root, cache);
		for (const { text, entries, path: from } of familyFiles(name)) {
			if (!isSessionPath(from, FAMILY_ROOTS)) continue;
			const all = text.split("\n").filter((line) => line !== "");
			const [header] = entries;
			// What a fork has copied is about the runs of its parent.
			const isCopied = ({ timestamp }: RawEntry): boolean =>
				header?.parentSession !== undefined && String(timestamp) <= String(header.timestamp);
			const runs = joinReports(entries.filter((entry) => !isCopied(entry)).flatMap(reportsIn));
			let time = 1;
			for (const cut of [all.length, 2, Math.ceil(all.length / 2), all.length]) {
				const path = write("--p--/1.jsonl", `${all.slice(0, cut).join("\n")}\n`);
				utimesSync(path, time, time++);
				counting.list(path);
				await counting.count();
			}
			const { counts } = counting.numbers(`${root}/--p--/1.jsonl`).numbers;
			expect(counts.runs).toEqual(runs.length === 0 ? undefined : runs);
		}
	},
);
