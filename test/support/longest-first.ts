import { existsSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Small files whose tests take or wait long: by their size they would run last, each alone. */
const LONG = [
	"test/app/core/responsiveness.test.ts",
	"test/app/in-use.test.ts",
	"test/app/typed-ahead.test.ts",
	"test/catalog/live/in-use.test.ts",
	"test/cli/demo-svg.test.ts",
	"test/cli/fields.test.ts",
	"test/cli/in-use.test.ts",
	"test/cli/unwatched.test.ts",
];

const root = join(import.meta.dirname, "../..");
for (const path of LONG)
	if (!existsSync(join(root, path))) throw new Error(`LONG names ${path}, which no longer exists`);

/**
 * The longest files of a project first, so that none of them runs alone at the end: as they took the last time, and in a new
 * clone by their size.
 */
export class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		// Those of a project stay together: files that share a process must follow each other.
		return [...Map.groupBy(sorted, ({ project }) => project.name).values()].flatMap((own) => [
			...own.filter(isLong),
			...own.filter((file) => !isLong(file)),
		]);
	}
}

function isLong({ moduleId }: TestSpecification): boolean {
	return LONG.some((path) => moduleId.replaceAll("\\", "/").endsWith(path));
}
