/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.c: looks at a program's file: ELF or script, static or dynamic, privileged or not.
 */
#include <config.h>

#include "analysis/doctor/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "analysis/base/file.h"

enum { SCRIPT_DEPTH = 4 };

static int usable(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	return access(path, X_OK) == 0 ? 0 : -errno;
}

int program_find(const char *name, char *path, size_t size)
{
	const char *p = getenv("PATH");
	int rc = -ENOENT;

	if (strchr(name, '/')) {
		snprintf(path, size, "%s", name);
		return usable(path);
	}
	for (p = p ? p : "/bin:/usr/bin"; *name; p++) {
		int length = (int)strcspn(p, ":"), one;

		snprintf(path, size, "%.*s%s%s", length, p, length ? "/" : "", name);
		one = usable(path);
		if (one == 0)
			return 0;
		if (one == -EACCES)
			rc = one;
		p += length;
		if (!*p)
			break;
	}
	return rc;
}

void program_explain(const char *name, int rc, char *text, size_t size)
{
	char here[PATH_MAX], path[PATH_MAX];
	int found = -ENOENT;

	if (rc != -ENOENT || strchr(name, '/')) {
		snprintf(text, size, "%s", strerror(-rc));
		return;
	}
	if (snprintf(here, sizeof here, "./%s", name) < (int)sizeof here)
		found = program_find(here, path, sizeof path);
	if (found == 0)
		snprintf(
			text, size, "not found in PATH; the one in this directory is './%s'", name);
	else if (found == -EACCES)
		snprintf(text, size,
			"not found in PATH; './%s' in this directory is not executable: "
			"chmod +x, or name the program that reads it first",
			name);
	else
		snprintf(text, size, "not found in PATH");
}

static bool is_privileged(const char *path, char *why, size_t size)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return false;
	if ((st.st_mode & S_ISUID) && st.st_uid != getuid()) {
		snprintf(why, size, "it is setuid, so the loader drops LD_PRELOAD");
		return true;
	}
	if ((st.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && st.st_gid != getgid()) {
		snprintf(why, size, "it is setgid, so the loader drops LD_PRELOAD");
		return true;
	}
	if (getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0) {
		snprintf(why, size, "it has file capabilities, so the loader drops LD_PRELOAD");
		return true;
	}
	return false;
}

/* Where the name of the loader stands in the file. False: it has none. */
static bool find_loader(int fd, const Elf64_Ehdr *h, Elf64_Phdr *p)
{
	for (int i = 0; i < h->e_phnum; i++) {
		off_t at = (off_t)(h->e_phoff + (uint64_t)i * h->e_phentsize);

		if (pread(fd, p, sizeof *p, at) != sizeof *p)
			break;
		if (p->p_type == PT_INTERP)
			return true;
	}
	return false;
}

int program_loader(const char *path, char *loader, size_t size)
{
	int fd = file_open_regular(AT_FDCWD, path, O_RDONLY, NULL), rc = -ENOEXEC;
	Elf64_Ehdr h = { 0 };
	Elf64_Phdr p;

	if (fd < 0)
		return -errno;
	if (read(fd, &h, sizeof h) == sizeof h && memcmp(h.e_ident, ELFMAG, SELFMAG) == 0 &&
		find_loader(fd, &h, &p) && p.p_filesz > 1 && p.p_filesz <= size &&
		pread(fd, loader, p.p_filesz, (off_t)p.p_offset) == (ssize_t)p.p_filesz) {
		loader[p.p_filesz - 1] = '\0';
		rc = 0;
	}
	close(fd);
	return rc;
}

static enum program_kind look_elf(int fd, const Elf64_Ehdr *h, char *why, size_t size)
{
	static const unsigned char own_class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
	Elf64_Ehdr self = { 0 };
	Elf64_Phdr p;
	int own = file_open_regular(AT_FDCWD, "/proc/self/exe", O_RDONLY, NULL);
	bool same = own >= 0 && read(own, &self, sizeof self) == sizeof self &&
		self.e_machine == h->e_machine;

	if (own >= 0)
		close(own);
	if (h->e_ident[EI_CLASS] != own_class || !same) {
		snprintf(why, size, "it is built for another processor or word length than tryst");
		return PROGRAM_FOREIGN;
	}
	if (find_loader(fd, h, &p))
		return PROGRAM_DYNAMIC;
	snprintf(why, size, "it is linked statically, so nothing can be preloaded into it");
	return PROGRAM_STATIC;
}

/* "#!/usr/bin/env -S python3 -u": the program that will really run. */
static int interpreter(const char *line, char *path, size_t size)
{
	char copy[256], *word, *save = NULL;

	snprintf(copy, sizeof copy, "%.*s", (int)strcspn(line, "\n"), line);
	word = strtok_r(copy, " \t", &save);
	if (!word)
		return -ENOEXEC;
	if (strcmp(word, "/usr/bin/env") == 0 || strcmp(word, "/bin/env") == 0) {
		do
			word = strtok_r(NULL, " \t", &save);
		while (word && (word[0] == '-' || strchr(word, '=')));
		if (!word)
			return -ENOEXEC;
	}
	return program_find(word, path, size);
}

static enum program_kind look_at_file(const char *path, char *why, size_t size, int depth)
{
	union {
		Elf64_Ehdr elf;
		char text[256];
	} head = { 0 };
	enum program_kind kind = PROGRAM_DYNAMIC;
	char next[PATH_MAX];
	ssize_t n;
	int fd;

	if (usable(path) != 0) {
		snprintf(why, size, "'%s' cannot be run: %s", path, strerror(-usable(path)));
		return PROGRAM_MISSING;
	}
	if (is_privileged(path, why, size))
		return PROGRAM_PRIVILEGED;
	fd = file_open_regular(AT_FDCWD, path, O_RDONLY, NULL);
	if (fd < 0) {
		snprintf(why, size, "it may be run but not read: %s", file_reason(-errno));
		return PROGRAM_UNREADABLE;
	}
	n = read(fd, &head, sizeof head - 1);
	if (n >= (ssize_t)sizeof head.elf && memcmp(head.text, ELFMAG, SELFMAG) == 0)
		kind = look_elf(fd, &head.elf, why, size);
	else if (n > 2 && head.text[0] == '#' && head.text[1] == '!' && depth < SCRIPT_DEPTH &&
		interpreter(head.text + 2, next, sizeof next) == 0)
		kind = look_at_file(next, why, size, depth + 1);
	close(fd);
	return kind;
}

enum program_kind program_look(const char *path, char *why, size_t size)
{
	why[0] = '\0';
	return look_at_file(path, why, size, 0);
}

int library_find(char *path, size_t size)
{
	static const char *const places[] = { "../pmpi", ("../" TRYST_LIBDIR_BELOW_PREFIX),
		TRYST_LIBDIR };
	char self[PATH_MAX], tried[PATH_MAX * 2], *slash;
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		char real[PATH_MAX];

		if (places[i][0] == '/')
			snprintf(tried, sizeof tried, "%s", places[i]);
		else
			snprintf(tried, sizeof tried, "%s/%s", self, places[i]);
		snprintf(path, size, "%s/libtryst.so", realpath(tried, real) ? real : tried);
		if (access(path, R_OK) == 0)
			return 0;
	}
	return -1;
}
