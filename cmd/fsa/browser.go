package main

import (
	"os/exec"
	"runtime"
)

// openBrowser opens an address in the user's browser.
func openBrowser(address string) error {
	words := []string{"xdg-open", address}
	switch runtime.GOOS {
	case "darwin":
		words[0] = "open"
	case "windows":
		words = []string{"rundll32", "url.dll,FileProtocolHandler", address}
	}
	cmd := exec.Command(words[0], words[1:]...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait()
	return nil
}
