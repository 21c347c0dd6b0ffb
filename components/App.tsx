import { FullScreenBox } from "fullscreen-ink";
import type { ReactNode } from "react";
import { useJobControl } from "../hooks/use-job-control.ts";
import { useKeys } from "../hooks/use-keys.ts";
import { useScreen } from "../hooks/use-screen.ts";
import type { Program } from "../src/app/program.ts";
import { Screen } from "./Screen.tsx";
import { type Theme, ThemeContext } from "./theme.ts";

interface AppProps {
	readonly program: Program;
	readonly theme: Theme;
}

/** The program on the terminal: its keys in, its screen out. */
export function App({ program, theme }: AppProps): ReactNode {
	const view = useScreen(program);
	useKeys(program);
	useJobControl();
	return (
		<ThemeContext value={theme}>
			<FullScreenBox width={view.columns} height={view.rows}>
				<Screen view={view} />
			</FullScreenBox>
		</ThemeContext>
	);
}
