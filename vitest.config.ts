import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["test/**/*.test.{ts,tsx}"],
		// The comparison with pi installs pi and runs on its own.
		exclude: ["test/compat/**", "**/node_modules/**"],
		// Components are drawn into pipes here, where chalk would leave the styles out.
		env: { FORCE_COLOR: "1" },
	},
});
