// Reads cases as JSON and answers each as Go's own packages see it.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// A question says which of its fields are set by its kind. Bytes are base64.
type question struct {
	Kind    string
	Note    []byte
	Key     string
	Origin  string
	Size    int64
	Older   int64
	Index   int64
	Root    []byte
	Before  []byte
	Leaf    []byte
	Path    [][]byte
	Entries [][]byte
	Level   int
	Width   int
	Content []byte
}

func hash(b []byte) (h tlog.Hash, err error) {
	if len(b) != tlog.HashSize {
		return h, fmt.Errorf("a hash of %d bytes", len(b))
	}
	copy(h[:], b)
	return h, nil
}

func hashes(path [][]byte) (all []tlog.Hash, err error) {
	for _, b := range path {
		h, err := hash(b)
		if err != nil {
			return nil, err
		}
		all = append(all, h)
	}
	return all, nil
}

// The note's signature, and the three lines of its text. tlog.ParseTree reads one origin only.
func checkHead(q question) error {
	verifier, err := note.NewVerifier(q.Key)
	if err != nil {
		return err
	}
	opened, err := note.Open(q.Note, note.VerifierList(verifier))
	if err != nil {
		return err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 || lines[0] != q.Origin {
		return fmt.Errorf("another origin")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || strconv.FormatInt(size, 10) != lines[1] || size != q.Size {
		return fmt.Errorf("another size")
	}
	root, err := tlog.ParseHash(lines[2])
	if err != nil || !bytes.Equal(root[:], q.Root) {
		return fmt.Errorf("another root")
	}
	return nil
}

func checkInclusion(q question) error {
	path, err := hashes(q.Path)
	if err != nil {
		return err
	}
	root, err := hash(q.Root)
	if err != nil {
		return err
	}
	leaf, err := hash(q.Leaf)
	if err != nil {
		return err
	}
	return tlog.CheckRecord(path, q.Size, root, q.Index, leaf)
}

func checkExtension(q question) error {
	path, err := hashes(q.Path)
	if err != nil {
		return err
	}
	root, err := hash(q.Root)
	if err != nil {
		return err
	}
	before, err := hash(q.Before)
	if err != nil {
		return err
	}
	return tlog.CheckTree(path, q.Size, root, q.Older, before)
}

// Stores all subtrees of the entries.
func store(entries [][]byte) (tlog.HashReader, error) {
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var found []tlog.Hash
		for _, i := range indexes {
			found = append(found, stored[i])
		}
		return found, nil
	})
	for n, entry := range entries {
		more, err := tlog.StoredHashes(int64(n), entry, reader)
		if err != nil {
			return nil, err
		}
		stored = append(stored, more...)
	}
	return reader, nil
}

func checkRoot(q question) error {
	reader, err := store(q.Entries)
	if err != nil {
		return err
	}
	root, err := tlog.TreeHash(int64(len(q.Entries)), reader)
	if err != nil {
		return err
	}
	if !bytes.Equal(root[:], q.Root) {
		return fmt.Errorf("another root")
	}
	return nil
}

func checkTile(q question) error {
	reader, err := store(q.Entries)
	if err != nil {
		return err
	}
	content, err := tlog.ReadTileData(tlog.Tile{H: 8, L: q.Level, N: q.Index, W: q.Width}, reader)
	if err != nil {
		return err
	}
	if !bytes.Equal(content, q.Content) {
		return fmt.Errorf("another content")
	}
	return nil
}

// Some checks of the packages panic on numbers that cannot be: those are refused too.
func check(q question) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("%v", panicked)
		}
	}()
	switch q.Kind {
	case "head":
		return checkHead(q)
	case "inclusion":
		return checkInclusion(q)
	case "extension":
		return checkExtension(q)
	case "root":
		return checkRoot(q)
	case "tile":
		return checkTile(q)
	}
	return fmt.Errorf("unknown kind %s", q.Kind)
}

func main() {
	var questions []question
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	answers := make([]string, len(questions))
	for i, q := range questions {
		if err := check(q); err != nil {
			answers[i] = err.Error()
		}
	}
	json.NewEncoder(os.Stdout).Encode(answers)
}
