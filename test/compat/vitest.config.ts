import { defineConfig } from "vitest/config";

const test = { include: ["*.test.ts"], testTimeout: 600_000, hookTimeout: 120_000 };

export default defineConfig({
	test: {
		root: import.meta.dirname,
		projects: ["0.87.1", "1.5.2"].map((version) => ({
			test: { ...test, name: `pi ${version}`, env: { PI_VERSION: version } },
		})),
	},
});
