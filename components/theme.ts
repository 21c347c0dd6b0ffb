import { createContext } from "react";
import { createTheme, type Theme } from "../src/ui/theme/theme.ts";

/** The theme that the components below draw with. */
export const ThemeContext = createContext<Theme>(createTheme({ depth: "16" }));
