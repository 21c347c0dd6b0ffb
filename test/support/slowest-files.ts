import type { Reporter, TestModule } from "vitest/node";

/** Fewer files than this are run by somebody who knows which. */
const WORTH_IT = 50;
const SHOWN = 10;

/**
 * Says at the end of a run of many test files where its time went: all files of each project together, and the slowest
 * files. A file's time is that of its tests and hooks, with what it waited for; files run side by side.
 */
export const slowestFiles: Reporter = {
	onTestRunEnd(files) {
		if (files.length < WORTH_IT) return;
		const slowest = files.toSorted((a, b) => msOf(b) - msOf(a)).slice(0, SHOWN);
		const projects = Map.groupBy(files, ({ project }) => project.name);
		console.log("\nTime of all files of a project, and of the slowest files:");
		for (const [name, own] of projects) {
			const sum = own.reduce((all, file) => all + msOf(file), 0);
			console.log(`${seconds(sum)}  ${name} (${own.length} files)`);
		}
		for (const file of slowest) console.log(`${seconds(msOf(file))}  ${file.relativeModuleId}`);
	},
};

function msOf(file: TestModule): number {
	return file.diagnostic().duration;
}

function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(1).padStart(7)} s`;
}
